import { RobotLabError } from "./robot-lab-error.js";

/** A tool was asked for by a name that none has. `code`: `"tool_not_found"`. */
export class ToolNotFoundError extends RobotLabError {
	static override readonly typeName: string = "ToolNotFoundError";

	/** The name that was asked for. */
	readonly toolName: string;

	constructor(toolName: string, message: string) {
		super("tool_not_found", message);
		this.toolName = toolName;
	}
}
