// Importing this installs the executor.
import "./register.js";

// Confinement
export type { StrategyOptions } from "./choose.js";
export { Null } from "./null/null.js";
export { Sandbox } from "./sandbox.js";
export type { HostFacts } from "./seatbelt/host-facts.js";
export { Seatbelt, type SeatbeltOptions } from "./seatbelt/seatbelt.js";
export type { Enforced, SandboxStatus } from "./status.js";
export type { Strategy, StrategyName, StrategySpawn } from "./strategy.js";
