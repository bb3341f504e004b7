export type { BoundedRunOptions, BoundedRunResult, Enclosure, Gate } from "./bounded-run.js";
export { findProgram, type ProgramSearch } from "./find-program.js";
export { runBounded } from "./run-bounded.js";
