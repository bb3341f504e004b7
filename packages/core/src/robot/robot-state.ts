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
	/** How many runs go on with which servers: those that the robot had when they began. */
	readonly #runs = new Map<RobotMcp, number>();
	/** Servers of its own that it does not have any more: they are used, or about to end. */
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
		this.#setup = setup;
		if (setup.mcp === mcp || !mcp.hasOwn) return;
		this.#formerMcp.add(mcp);
		this.#endUnused(mcp);
	}

	/** Keeps the servers that the robot has now running, were it given others, until the answer is called. */
	holdServers(): () => void {
		const { mcp } = this.#setup;
		this.#runs.set(mcp, (this.#runs.get(mcp) ?? 0) + 1);
		return () => {
			const others = (this.#runs.get(mcp) ?? 0) - 1;
			if (others > 0) this.#runs.set(mcp, others);
			else this.#runs.delete(mcp);
			this.#endUnused(mcp);
		};
	}

	/** Ends the reading of skills that goes on, and the servers that it started, former ones too. A run that goes on may start its servers again, which end with it where they are former ones. */
	async disconnect(): Promise<void> {
		this.#setup.skills?.stop();
		await Promise.all([this.#setup.mcp, ...this.#formerMcp].map((mcp) => mcp.disconnect()));
	}

	#endUnused(mcp: RobotMcp): void {
		if (!this.#formerMcp.has(mcp) || this.#runs.has(mcp)) return;
		// kept in mind until it has ended: disconnect() waits for that, and tells what it failed with
		mcp.disconnect().then(
			() => this.#formerMcp.delete(mcp),
			() => {},
		);
	}

	/** What it has learned, oldest first. */
	get learnings(): readonly string[] {
		return learningsOf(this.memory.get(LEARNINGS_KEY));
	}
}
