// Errors
export { ConfigurationError } from "./errors/configuration-error.js";
export { DependencyError } from "./errors/dependency-error.js";
export { InferenceError } from "./errors/inference-error.js";
export { RobotLabError, type RobotLabErrorOptions } from "./errors/robot-lab-error.js";
export { SandboxUnavailableError } from "./errors/sandbox-unavailable-error.js";
