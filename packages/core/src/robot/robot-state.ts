import { LEARNINGS_KEY, learningsOf } from "../memory/learnings.js";
import { Memory } from "../memory/memory.js";
import { Conversation } from "./conversation.js";
import { RobotModel } from "./robot-model.js";
import type { RobotSetup } from "./robot-setup.js";
import { Spending } from "./spending.js";

/** What a robot is, knows and has used, which its runs share. */
export class RobotState {
	/** Replaced as a whole when the robot is changed. */
	setup: RobotSetup;
	readonly memory: Memory;
	readonly model: RobotModel = new RobotModel();
	readonly conversation: Conversation = new Conversation();
	readonly spending: Spending = new Spending();

	constructor(setup: RobotSetup) {
		this.setup = setup;
		this.memory = new Memory().as(setup.options.name);
	}

	/** What it has learned, oldest first. */
	get learnings(): readonly string[] {
		return learningsOf(this.memory.get(LEARNINGS_KEY));
	}
}
