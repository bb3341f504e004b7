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
