import { describe, expect, it } from "vitest";
import { evaluateProfile } from "../../../src/sbpl/index.js";
import { can, cannot, directory, PINNED, PROTECTED } from "../checks/check.js";
import { RENAMES } from "../checks/inside.js";
import { SCENARIOS } from "../checks/scenarios.js";
import { PROJECT, profileOf, SCRATCH } from "../pretend-mac.js";
import { itStops } from "./attack.js";

/** A rename needs to remove its source, to make its target, and to remove what is there; an exchange needs that of both. */
const renames = (profile: string, from: string, to: string): boolean => {
	const decide = evaluateProfile(profile);
	return decide("file-write-unlink", directory(from)).allowed && decide("file-write-create", directory(to)).allowed;
};

describe.each(SCENARIOS)("renaming what is protected, and the directories around it ($name)", ({ profile }) => {
	itStops({ profile, checks: RENAMES });
});

describe("a rename", () => {
	const A = `${PROJECT}/a`;
	const B = `${PROJECT}/b`;
	const two = profileOf({ write: [A, B] });

	it.each([
		["a prepared tree to the name of the directory around", `${A}/x`, `${A}/.git`],
		["a prepared tree from the temporary directory", `${SCRATCH}/x`, `${A}/.git`],
		["a prepared tree to the protected name", `${A}/x`, `${A}/.git/hooks`],
		["the directory around away", `${A}/.git`, `${A}/x`],
		["the directory to write into another, to change it there", A, `${B}/a`],
		["another onto the directory to write", `${B}/x`, A],
	])("of %s fails", (_, from, to) => {
		expect(renames(profileOf({ write: [A, B], protect: false }), from, to)).toBe(true);
		expect(renames(two, from, to)).toBe(false);
	});

	it("of anything else works", () => {
		expect(renames(two, `${A}/x`, `${B}/y`)).toBe(true);
		expect(renames(two, `${A}/.git/index.lock`, `${A}/.git/index`)).toBe(true);
		expect(renames(two, `${SCRATCH}/x`, `${A}/y`)).toBe(true);
	});
});

describe("a directory to write in another", () => {
	itStops({
		profile: profileOf({ write: [PROJECT, `${PROJECT}/a/b/c`] }),
		checks: [
			...["", "/a", "/a/b", "/a/b/c"].flatMap((name) =>
				["file-write-unlink", "file-write-create"].map((operation) =>
					cannot(`${operation} of ${PROJECT}${name}`, operation, directory(`${PROJECT}${name}`), PINNED),
				),
			),
			cannot("its .git cannot be moved", "file-write-unlink", directory(`${PROJECT}/a/b/c/.git`), PROTECTED),
			can("what lies beside the way can be moved", "file-write-unlink", directory(`${PROJECT}/a/x`)),
		],
	});

	it("that does not exist yet can be made, and so can the directories above it", () => {
		const kinds = new Map([[`${PROJECT}/a/b`, "nothing"]] as const);
		const decide = evaluateProfile(profileOf({ write: [PROJECT, `${PROJECT}/a/b`], facts: { kinds } }));
		for (const name of ["a", "a/b"]) expect(decide("file-write-create", directory(`${PROJECT}/${name}`)).allowed).toBe(true);
		const island = evaluateProfile(profileOf({ write: [PROJECT], read: [`${PROJECT}/a/b`], facts: { kinds } }));
		expect(island("file-write-create", directory(`${PROJECT}/a`)).allowed).toBe(true);
	});
});
