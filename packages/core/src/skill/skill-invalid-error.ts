import { ConfigurationError } from "../errors/configuration-error.js";
import type { RobotLabErrorOptions } from "../errors/robot-lab-error.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";

/** What a SKILL.md says cannot be made into a skill. */
export class SkillInvalidError extends ConfigurationError {
	static override readonly typeName: string = "SkillInvalidError";

	/** Everything that is wrong with it, in the order of the file's lines as far as they are known. Those that keep it from being loaded are errors. */
	readonly diagnostics: readonly SkillDiagnostic[];

	constructor(message: string, diagnostics: readonly SkillDiagnostic[], options: RobotLabErrorOptions) {
		super(message, options);
		this.diagnostics = diagnostics;
	}
}
