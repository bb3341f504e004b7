import { config } from "../config/configure.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import type { RobotOptions } from "../robot/robot-options.js";
import { RobotTemplates } from "../robot/robot-templates.js";
import { TemplateDirectory } from "../template/template-directory.js";

const ELSEWHERE = "The configuration names another folder by template_path; on the command line, --templates DIR does.";

/** The templates of a robot in a file. Throws ConfigurationError as {@link RobotTemplates} does, and says where else one may be that is missing. */
export function declaredTemplates(options: Pick<RobotOptions, "template" | "context">): RobotTemplates {
	try {
		return new RobotTemplates(options);
	} catch (error) {
		if (!ConfigurationError.isInstance(error) || options.template === undefined || !isMissing(options.template)) throw error;
		throw new ConfigurationError(`${error.message} ${ELSEWHERE}`, { cause: error });
	}
}

/** One that is there and cannot be read is no missing one. */
function isMissing(id: string): boolean {
	try {
		return new TemplateDirectory(config().templatePath).read(id) === undefined;
	} catch {
		return false;
	}
}
