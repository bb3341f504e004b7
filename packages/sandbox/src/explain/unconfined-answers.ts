import { realOr } from "../host/host-paths.js";
import { type Answerer, allowed, denied } from "./answer.js";
import { environmentAnswer } from "./environment-answer.js";
import { LONGEST_PATH, whyTooLong } from "./path-length.js";
import { type Surroundings, spelledOut } from "./surroundings.js";

const NOTHING = "nothing confines";

/** Answers where no strategy confines: whatever the host's user may do is allowed. */
export function unconfinedAnswerer(surroundings: Surroundings, scrubs: boolean): Answerer {
	return (question) => {
		if (question.verb === "env" && scrubs) return environmentAnswer(question.name, surroundings.environment);
		if (!("path" in question)) return allowed(NOTHING);
		const tooLong = whyTooLong(question.path, surroundings.platform === "darwin" ? LONGEST_PATH.mac : LONGEST_PATH.linux);
		if (tooLong !== undefined) return denied(tooLong);
		return allowed(NOTHING, { path: realOr(spelledOut(question.path, surroundings)) });
	};
}
