// Errors

// Capabilities
export { Capabilities, type CapabilitiesInit } from "./capability/capabilities.js";
export type { RefusedCapability } from "./capability/intersect.js";
// Configuration
export type { Config, ConfigChange, ConfigDraft, ResourceLimits, SandboxBackend, SandboxConfig, ScriptsConfig } from "./config/config.js";
export { config, configure, reloadConfig } from "./config/configure.js";
export { ConfigurationError } from "./errors/configuration-error.js";
export { DependencyError } from "./errors/dependency-error.js";
export { InferenceError } from "./errors/inference-error.js";
export { RobotLabError, type RobotLabErrorOptions } from "./errors/robot-lab-error.js";
export { SandboxUnavailableError } from "./errors/sandbox-unavailable-error.js";

// Scripts
export { inspectScript, type ScriptInspection } from "./script/inspect-script.js";
export type {
	Confinement,
	ScriptExecutor,
	ScriptLifecycleReason,
	ScriptOptions,
	ScriptRefusal,
	ScriptResult,
} from "./script/script-executor.js";
// For executors, so that each tells a script and its caller the same
export { refusedResult, type ScriptEnding, scriptEnding, toScriptResult } from "./script/script-result.js";
export type { ScriptToolOptions } from "./script/script-to-tool.js";
export { ScriptTool, type ScriptToolFactory } from "./script/script-tool.js";
export { type ScriptSurroundings, scriptSurroundings } from "./script/surroundings.js";
export { unconfinedExecutor } from "./script/unconfined-executor.js";
