// Robots: a model that answers from a list

// Scripts: an executor that starts nothing, and the contract every executor keeps
export { type ContractRunner, describeExecutor } from "./executor-contract.js";
// Memory: the contract every backend keeps
export { describeMemoryBackend } from "./memory-contract.js";
export { type RecordedAnswer, type RecordedRun, RecordingExecutor } from "./recording-executor.js";
export { ScriptedModel } from "./scripted-model.js";
export type { ScriptedReply, ScriptedRound, ScriptedToolCall } from "./scripted-reply.js";
// Skills: a bundle for the length of a test
export { type SkillFiles, type TemporarySkill, temporarySkill } from "./temporary-skill.js";

// The log: whether it is that of a whole run
export { assertWholeLog } from "./whole-log.js";
