import { RobotLabError } from "../errors/robot-lab-error.js";

/** What a task decided in `next`. */
export interface TaskDecisions {
	/** The optional tasks that are to start. */
	readonly activated: ReadonlySet<string>;
	/** Absent: it did not halt the network. Without a value: its own result is the network's. */
	readonly halted: { readonly value?: unknown } | undefined;
}

export const NO_DECISIONS: TaskDecisions = { activated: new Set(), halted: undefined };

/** Takes what a task decides in `next`, until that has come to its end. */
export class DecisionTaker implements TaskDecisions {
	readonly activated: Set<string> = new Set();
	halted: { readonly value?: unknown } | undefined;
	readonly #task: string;
	readonly #checkActivation: (by: string, task: string) => void;
	#isOver = false;

	/** @param checkActivation Throws for a task that the one named first cannot activate. */
	constructor(task: string, checkActivation: (by: string, task: string) => void) {
		this.#task = task;
		this.#checkActivation = checkActivation;
	}

	readonly activate = (task: string): void => {
		this.#check();
		this.#checkActivation(this.#task, task);
		this.activated.add(task);
	};

	readonly halt = (...values: [value?: unknown]): void => {
		this.#check();
		this.halted ??= values[0] === undefined ? {} : { value: values[0] };
	};

	/** Nothing more is taken. */
	close(): void {
		this.#isOver = true;
	}

	#check(): void {
		if (!this.#isOver) return;
		throw new RobotLabError(
			"task_over",
			`The task "${this.#task}" is over and decides nothing any more: let next return a promise of its work.`,
		);
	}
}
