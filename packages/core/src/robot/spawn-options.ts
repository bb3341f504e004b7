import type { RobotOptions } from "./robot-options.js";
import type { RobotSetup } from "./robot-setup.js";

/** How a robot makes another one, which is on the same bus. */
export interface SpawnOptions extends Omit<RobotOptions, "name" | "bus"> {
	/** Default `"robot"`. Several may have the same: each gets what is sent to that name. */
	readonly name?: string;
}

/** The options of the other one: the model of the first, unless they name another. */
export function spawnedOptions({ options: parent }: RobotSetup, { name = "robot", ...options }: SpawnOptions): RobotOptions {
	return { ...options, name, config: { model: parent.model, ...options.config } };
}
