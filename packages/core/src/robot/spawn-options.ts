import type { RobotOptions } from "./robot-options.js";
import type { RobotSetup } from "./robot-setup.js";

/** How a robot makes another one, which is on the same bus. */
export interface SpawnOptions extends Omit<RobotOptions, "name" | "bus"> {
	/** Default `"robot"`. Several may have the same: each gets what is sent to that name. */
	readonly name?: string;
}

/** The options of the other one: the model of the first and who it asks before scripts run, unless they name others. */
export function spawnedOptions({ made, options: parent }: RobotSetup, { name = "robot", ...options }: SpawnOptions): RobotOptions {
	const approval = options.approval ?? made.approval;
	return { ...options, name, ...(approval && { approval }), config: { model: parent.model, ...options.config } };
}
