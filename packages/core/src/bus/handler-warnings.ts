import { type FailureWarning, failureReport } from "../stream/failure-report.js";
import { describeValue } from "../text/describe-value.js";

type Report = (error: unknown) => void;

/** What the process is warned of where a handler, or what is around it, fails and no dead letter says so: each once. */
export class HandlerWarnings {
	readonly #name: string;
	#late: Report | undefined;
	#escaped: Report | undefined;

	/** @param name Of the member. */
	constructor(name: string) {
		this.#name = name;
	}

	/** A handler failed that had settled its message. */
	late(error: unknown): void {
		this.#late ??= failureReport(undefined, this.#warning(LATE, "ROBOT_LAB_HANDLER_FAILED"));
		this.#late(error);
	}

	/** What failed is not the handler. */
	escaped(error: unknown): void {
		this.#escaped ??= failureReport(undefined, this.#warning(ESCAPED, "ROBOT_LAB_BUS_FAILED"));
		this.#escaped(error);
	}

	#warning(what: (name: string) => string, code: string): FailureWarning {
		return { what: what(describeValue(this.#name)), code };
	}
}

const LATE = (name: string): string =>
	`The handler of ${name} failed after it had settled a message, which counts as handled or refused as it said`;

const ESCAPED = (name: string): string =>
	`The bus could not do all of what a message to ${name} needs; it is a dead letter, and the next ones come`;
