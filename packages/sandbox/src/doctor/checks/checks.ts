import type { Check } from "../check.js";
import { FILES } from "./files.js";
import { KERNEL } from "./kernel.js";
import { LIMITS } from "./limits.js";
import { NETWORK } from "./network.js";
import { PROCESSES } from "./processes.js";
import { STARTS } from "./starts.js";

/** Everything the doctor tries, in the order of the report. What gets through does no harm: it concerns files, listeners and processes of the doctor's own. */
export const CHECKS: readonly Check[] = [...STARTS, ...FILES, ...NETWORK, ...PROCESSES, ...LIMITS, ...KERNEL];
