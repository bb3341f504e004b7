import { realOr } from "../host/host-paths.js";
import { type Answerer, allowed } from "./answer.js";
import { environmentAnswer } from "./environment-answer.js";
import { type Surroundings, spelledOut } from "./surroundings.js";

const NOTHING = "nothing confines";

/** Answers where no strategy confines: whatever the host's user may do is allowed. */
export function unconfinedAnswerer(surroundings: Surroundings, scrubs: boolean): Answerer {
	return (question) => {
		if (question.verb === "env" && scrubs) return environmentAnswer(question.name, surroundings.environment);
		if (!("path" in question)) return allowed(NOTHING);
		return allowed(NOTHING, { path: realOr(spelledOut(question.path, surroundings)) });
	};
}
