import { RobotLabError } from "./robot-lab-error.js";

const MAX_NAMED = 5;
const MAX_KEY_CHARACTERS = 60;

/** Keys that were waited for were not all in memory at one moment before the deadline. `code`: `"await_timeout"`. */
export class AwaitTimeoutError extends RobotLabError {
	static override readonly typeName: string = "AwaitTimeoutError";

	/** The keys that were not there when the time was up, in the order in which they were asked for. */
	readonly missing: readonly string[];
	/** How long they were waited for. */
	readonly timeoutMs: number;

	constructor(missing: readonly string[], timeoutMs: number) {
		super("await_timeout", `Not in memory after ${timeoutMs} ms: ${named(missing)}. Whoever sets it was too late, or uses another memory.`);
		this.missing = Object.freeze([...missing]);
		this.timeoutMs = timeoutMs;
	}
}

function named(keys: readonly string[]): string {
	const shown = keys
		.slice(0, MAX_NAMED)
		.map((key) => JSON.stringify(key.length > MAX_KEY_CHARACTERS ? `${key.slice(0, MAX_KEY_CHARACTERS)}…` : key));
	const more = keys.length - shown.length;
	return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
