// Robots: a model that answers from a list

// The bus: the contract every transport keeps
export { describeBusTransport } from "./bus-transport-contract.js";
// Scripts: an executor that starts nothing, and the contract every executor keeps
export { type ContractRunner, describeExecutor } from "./executor-contract.js";
// Memory: the contract every backend keeps
export { describeMemoryBackend } from "./memory-contract.js";
export { type RecordedAnswer, type RecordedRun, RecordingExecutor } from "./recording-executor.js";
export { ScriptedModel } from "./scripted-model.js";
export type { ScriptedReply, ScriptedRound, ScriptedToolCall } from "./scripted-reply.js";
// Networks: the contract every runner of tasks keeps, and the robots it is tested with
export { describeTaskRunner, type TestedTaskRunner } from "./task-runner-contract.js";
export { taskRunnerRobots } from "./task-runner-robots.js";
// Skills: a bundle for the length of a test
export { type SkillFiles, type TemporarySkill, temporarySkill } from "./temporary-skill.js";

// The log: whether it is that of a whole run
export { assertWholeLog } from "./whole-log.js";
