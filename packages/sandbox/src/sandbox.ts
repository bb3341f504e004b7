import type { ScriptExecutor } from "@robot-lab/core";
import { Bubblewrap } from "./bubblewrap/bubblewrap.js";
import { type DoctorOptions, type DoctorReport, runDoctor } from "./doctor/doctor.js";
import { explain } from "./explain/explain.js";
import { previewStrategy } from "./explain/preview.js";
import { isMacos } from "./host/is-macos.js";
import { Executor } from "./run/executor.js";
import { Seatbelt } from "./seatbelt/seatbelt.js";
import { chooseStrategy } from "./strategy/choose.js";
import { isEnabled } from "./strategy/enabled.js";
import { Null } from "./strategy/null.js";
import { type SandboxStatus, sandboxStatus } from "./strategy/status.js";

/** Confinement of skills' scripts. */
export const Sandbox: {
	readonly isEnabled: typeof isEnabled;
	readonly isMacos: typeof isMacos;
	readonly for: typeof chooseStrategy;
	readonly status: () => Promise<SandboxStatus>;
	readonly doctor: (options?: DoctorOptions) => Promise<DoctorReport>;
	readonly explain: typeof explain;
	readonly preview: typeof previewStrategy;
	readonly Seatbelt: typeof Seatbelt;
	readonly Bubblewrap: typeof Bubblewrap;
	readonly Null: typeof Null;
	readonly Executor: ScriptExecutor;
} = Object.freeze({
	isEnabled,
	isMacos,
	for: chooseStrategy,
	status: () => sandboxStatus(),
	doctor: runDoctor,
	explain,
	preview: previewStrategy,
	Seatbelt,
	Bubblewrap,
	Null,
	Executor,
});
