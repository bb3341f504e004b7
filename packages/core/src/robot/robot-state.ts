import { LEARNINGS_KEY, learningsOf } from "../memory/learnings.js";
import { Memory } from "../memory/memory.js";
import { Conversation } from "./conversation.js";
import type { RobotMcp } from "./robot-mcp.js";
import { RobotModel } from "./robot-model.js";
import type { RobotSetup } from "./robot-setup.js";
import { Spending } from "./spending.js";

/** What a robot is, knows and has used, which its runs share. */
export class RobotState {
	#setup: RobotSetup;
	/** Servers of its own that it does not have any more, and that runs may still use, or start: they end with `disconnect()`. */
	readonly #formerMcp = new Set<RobotMcp>();
	readonly memory: Memory;
	readonly model: RobotModel = new RobotModel();
	readonly conversation: Conversation = new Conversation();
	readonly spending: Spending = new Spending();

	constructor(setup: RobotSetup) {
		this.#setup = setup;
		this.memory = new Memory().as(setup.options.name);
	}

	/** Replaced as a whole when the robot is changed. */
	get setup(): RobotSetup {
		return this.#setup;
	}

	set setup(setup: RobotSetup) {
		const { mcp } = this.#setup;
		if (setup.mcp !== mcp && mcp.hasOwn) this.#formerMcp.add(mcp);
		this.#setup = setup;
	}

	/** Ends the servers that it started. */
	async disconnect(): Promise<void> {
		const former = [...this.#formerMcp];
		this.#formerMcp.clear();
		await Promise.all([this.#setup.mcp, ...former].map((mcp) => mcp.disconnect()));
	}

	/** What it has learned, oldest first. */
	get learnings(): readonly string[] {
		return learningsOf(this.memory.get(LEARNINGS_KEY));
	}
}
