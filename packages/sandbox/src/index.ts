// Importing this installs the executor.
import "./register.js";

// Confinement
export type { BubblewrapFeatures } from "./bubblewrap/arguments.js";
export { Bubblewrap, type BubblewrapOptions } from "./bubblewrap/bubblewrap.js";
export type { BubblewrapHost } from "./bubblewrap/bubblewrap-host.js";
export type { Probe } from "./bubblewrap/probe.js";
export type { DoctorRow } from "./doctor/check.js";
export type { DoctorOptions, DoctorReport } from "./doctor/doctor.js";
export type { Answer } from "./explain/answer.js";
export type { ExplainOptions, Explanation, PreviewOptions } from "./explain/explanation.js";
export type { LimitsHere } from "./limits/limits-here.js";
export { Sandbox } from "./sandbox.js";
export type { HostFacts } from "./seatbelt/host-facts.js";
export { Seatbelt, type SeatbeltOptions } from "./seatbelt/seatbelt.js";
export type { StrategyOptions } from "./strategy/choose.js";
export type { NotEnforced } from "./strategy/not-enforced.js";
export { Null } from "./strategy/null.js";
export type { Enforced, SandboxStatus } from "./strategy/status.js";
export type { Readiness, Strategy, StrategyName, StrategySpawn } from "./strategy/strategy.js";
