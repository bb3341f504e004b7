import { describe } from "vitest";
import { ASKED_OF_OTHERS, can, cannot, file, PROTECTED } from "../checks/check.js";
import { SECOND_NAMES } from "../checks/outside.js";
import { SCENARIOS } from "../checks/scenarios.js";
import { PROJECT } from "../pretend-mac.js";
import { itStops } from "./attack.js";

const OUT = `${PROJECT}/out`;

describe.each(SCENARIOS)("a hard link or a clone of what is out of reach, under a name in reach ($name)", ({ profile }) => {
	itStops({
		profile,
		checks: [
			...SECOND_NAMES,
			...["file-link", "file-clone"].flatMap((operation) => [
				cannot(`no ${operation} of what may only be read`, operation, file(`${PROJECT}/data/in.csv`), ASKED_OF_OTHERS),
				cannot(`no ${operation} of a git hook, to write it by another name`, operation, file(`${OUT}/.git/hooks/pre-commit`), PROTECTED),
				can(`${operation} of what may be written`, operation, file(`${OUT}/a`)),
			]),
			cannot("no link onto a protected name", "file-write-create", file(`${OUT}/.git/hooks/pre-commit`), PROTECTED),
		],
	});
});

/** As profiles of others are made: everything is denied by default, and nothing is said of links. */
describe("(deny default) alone", () => {
	const control = `(version 1)(deny default)(allow file-read* file-write* (subpath "${OUT}"))`;
	itStops({ profile: SCENARIOS[0].profile, checks: SECOND_NAMES, control });
});
