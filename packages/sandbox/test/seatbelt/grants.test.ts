import fc from "fast-check";
import { expect, it } from "vitest";
import { evaluateProfile } from "../../src/sbpl/index.js";
import { CHANGES } from "./checks/check.js";
import { accessAt, expected, NAMES } from "./grants-oracle.js";
import { HOME, profileOf, SCRATCH } from "./pretend-mac.js";

/** Most of the time goes into making and compiling a profile, so each is asked as three cases. */
const GRANTS = 10_000;
const CASES = 3 * GRANTS;
const BASE = `${HOME}/w`;
const OPERATIONS = [...CHANGES, "file-write-create", "file-write-unlink", "file-read-data", "file-write-setugid"];

const plain = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 2 }).map((segments) => [BASE, ...segments].join("/"));
const named = fc.constantFrom(...NAMES, ".git", ".claude", "Library", ".config", "Library/LaunchAgents", ".config/fish");
const root = fc.oneof(
	{ weight: 3, arbitrary: plain },
	fc.tuple(plain, named).map((parts) => parts.join("/")),
);
const spelling = fc.constantFrom<(name: string) => string>(
	(name) => name,
	(name) => name.toUpperCase(),
	(name) => name.replace("k", "\u212a").replace("s", "ſ").replace("fi", "ﬁ"),
	(name) => name.replace(/(?<=.)(?=[a-z])/, "\u200d"),
	(name) => `${name}x`,
	(name) => `x${name}`,
);
const scene = fc.record({
	read: fc.array(root, { maxLength: 2 }),
	write: fc.array(root, { minLength: 1, maxLength: 3 }),
	skillDir: fc.oneof(
		plain.map((path) => `${path}/s`),
		fc.constant(`${HOME}/.prompts/skills/report`),
	),
	scratch: fc.boolean(),
	protect: fc.boolean(),
	network: fc.boolean(),
});
const question = fc.record({
	operation: fc.constantFrom(...OPERATIONS),
	from: fc.nat(5),
	name: named,
	spell: spelling,
	deeper: fc.constantFrom("", "/x", "/keep/x"),
	bare: fc.boolean(),
});

/** Ten seconds of a processor that has nothing else to do. */
it(`any grant decides as it means, in ${CASES} cases of ${GRANTS} grants`, { timeout: 240_000 }, () => {
	const seen = { granted: 0, protected: 0, refused: 0 };
	let cases = 0;
	fc.assert(
		fc.property(scene, fc.array(question, { minLength: 9, maxLength: 9 }), (asked, questions) => {
			cases += 3;
			const { scratch, ...granted } = asked;
			const decide = evaluateProfile(profileOf({ ...granted, scratchDir: scratch ? SCRATCH : null }));
			const places = [...asked.write, ...asked.read, asked.skillDir, SCRATCH, BASE];
			for (const { operation, from, name, spell, deeper, bare } of questions) {
				const place = places[from % places.length] ?? BASE;
				const target = bare ? `${place}${deeper}` : `${place}/${spell(name)}${deeper}`;
				const { allowed } = decide(operation, { path: target, vnodeType: "REGULAR-FILE" });
				expect({ operation, target, allowed }).toEqual({ operation, target, allowed: expected(asked, operation, target) });
				const closed = accessAt(asked, target) === "write" && operation !== "file-write-setugid" ? "protected" : "refused";
				seen[allowed ? "granted" : closed] += 1;
			}
			expect(decide("network-outbound", { remote: "1.2.3.4:443" }).allowed).toBe(asked.network);
			expect(decide("file-read-data", { path: `${HOME}/.ssh/id`, vnodeType: "REGULAR-FILE" }).allowed).toBe(false);
		}),
		{ numRuns: GRANTS },
	);
	expect(cases).toBeGreaterThanOrEqual(CASES);
	expect(Math.min(seen.granted, seen.protected, seen.refused)).toBeGreaterThan(CASES / 10);
});
