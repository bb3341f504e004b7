import { RobotLabError } from "./robot-lab-error.js";

/** What a budget is of: tokens, or US dollars. */
export type BudgetDimension = "tokens" | "cost";

/** A robot's budget was used up before a run asked its model for anything. `code`: `"budget_exceeded"`. */
export class BudgetExceededError extends RobotLabError {
	static override readonly typeName: string = "BudgetExceededError";

	readonly dimension: BudgetDimension;
	/** The budget. Tokens, or US dollars. */
	readonly limit: number;
	/** What was used of it, with what runs that go on have reserved. */
	readonly used: number;

	constructor(dimension: BudgetDimension, limit: number, used: number, message: string) {
		super("budget_exceeded", message);
		this.dimension = dimension;
		this.limit = limit;
		this.used = used;
	}
}
