import { Capabilities } from "@robot-lab/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateProfile } from "../../src/sbpl/index.js";
import { seatbeltProfile } from "../../src/seatbelt/profile.js";
import { quote } from "../../src/seatbelt/rule-text.js";
import { facts, HOME, profileOf, SCRATCH } from "./pretend-mac.js";

const RUNS = 500;
const BASE = `${HOME}/w`;
const SEGMENTS = ["a", "b", "ab", "c d", 'q"', "x)", "(y", "\\", "ü", "#;", 'a\\"b'];
const path = fc.array(fc.constantFrom(...SEGMENTS), { maxLength: 4 }).map((segments) => [BASE, ...segments].join("/"));
const scene = fc.record({
	read: fc.array(path, { maxLength: 4 }),
	write: fc.array(path, { maxLength: 4 }),
	skillDir: fc.array(fc.constantFrom(...SEGMENTS), { minLength: 1, maxLength: 3 }).map((segments) => [BASE, ...segments].join("/")),
});

interface Asked {
	readonly read: readonly string[];
	readonly write: readonly string[];
	readonly skillDir: string;
}
type Access = "nothing" | "read" | "write";

/** What a grant means, said in another way than the profile says it: the deepest root above a path decides, writing before reading. */
function accessAt(asked: Asked, target: string, only: (root: string) => boolean = () => true): Access {
	const roots = [
		...asked.write.map((root) => ({ root, access: "write" as Access })),
		...[...asked.read, asked.skillDir].map((root) => ({ root, access: "read" as Access })),
	];
	const above = roots.filter(({ root }) => only(root) && (target === root || target.startsWith(`${root}/`)));
	const deepest = Math.max(...above.map(({ root }) => root.length));
	return above.find(({ root }) => root.length === deepest)?.access ?? "nothing";
}

describe("any grant", () => {
	it("lets the directories above what it names be looked at, and no others", () => {
		fc.assert(
			fc.property(scene, path, (asked, target) => {
				const roots = [...asked.read, ...asked.write, asked.skillDir];
				const expected = accessAt(asked, target) !== "nothing" || roots.some((root) => root.startsWith(`${target}/`));
				expect(evaluateProfile(profileOf(asked))("file-read-metadata", { path: target, vnodeType: "DIRECTORY" }).allowed).toBe(expected);
			}),
			{ numRuns: RUNS },
		);
	});

	it("gives the same bytes in any order", () => {
		fc.assert(
			fc.property(scene, fc.infiniteStream(fc.nat()), (asked, numbers) => {
				const shuffled = (paths: readonly string[]): string[] =>
					paths
						.map((each) => ({ each, at: numbers.next().value ?? 0 }))
						.sort((a, b) => a.at - b.at)
						.map(({ each }) => each);
				expect(profileOf({ ...asked, read: shuffled(asked.read), write: shuffled(asked.write) })).toBe(profileOf(asked));
			}),
			{ numRuns: 500 },
		);
	});
});

describe("any path", () => {
	const HOSTILE = [
		'"',
		'")',
		"(",
		")",
		"\\",
		'\\"',
		";",
		"#",
		"(allow default)",
		'(allow file-read* (subpath "/"))',
		'")) (allow file-read*) ((literal "',
		" ",
		"/",
		"x",
	];
	const hostile = fc
		.oneof(
			fc.array(fc.constantFrom(...HOSTILE), { minLength: 1, maxLength: 12 }).map((parts) => parts.join("")),
			fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 }),
		)
		.map((text) =>
			text
				.split("/")
				.filter((segment) => segment !== "" && segment !== "." && segment !== "..")
				.join("/"),
		)
		.filter((text) => text !== "" && !/[\p{Cc}\p{Surrogate}\ufffd]/u.test(text));

	it("injects nothing: it is granted, and nothing else is", () => {
		fc.assert(
			fc.property(hostile, fc.constantFrom("read", "write", "skill", "link", "tool", "scratch"), (text, place) => {
				const target = `${BASE}/${text}`;
				const profile = seatbeltProfile({
					grant: new Capabilities({ fsRead: place === "read" ? [target] : [], fsWrite: place === "write" ? [target] : [] }),
					skillDir: place === "skill" ? target : `${BASE}/s`,
					scratchDir: place === "scratch" ? target : SCRATCH,
					facts: facts({ links: place === "link" ? [target] : [], toolRoots: place === "tool" ? [target] : [] }),
				});
				const decide = evaluateProfile(profile);
				const allowed = (operation: string, where: string): boolean =>
					decide(operation, { path: where, vnodeType: "REGULAR-FILE" }).allowed;
				expect(allowed(place === "link" ? "file-read-metadata" : "file-read-data", target)).toBe(true);
				expect(allowed("file-write-data", target)).toBe(place === "write" || place === "scratch");
				expect(allowed("file-read-data", `${HOME}/.ssh/id`)).toBe(false);
				expect(allowed("file-write-data", `${HOME}/.zshrc`)).toBe(false);
				expect(decide("network-outbound", { remote: "1.2.3.4:443" }).allowed).toBe(false);
				expect(decide("signal", { target: "others" }).rule).toBe("(deny default)");
			}),
			{ numRuns: RUNS },
		);
	});

	it("comes back from the profile as it went in", () => {
		fc.assert(
			fc.property(hostile, (text) => {
				const decide = evaluateProfile(`(version 1)(deny default)(allow file-read-data (literal ${quote(`/${text}`)}))`);
				expect(decide("file-read-data", { path: `/${text}` }).allowed).toBe(true);
				expect(decide("file-read-data", { path: `/${text}x` }).allowed).toBe(false);
			}),
			{ numRuns: RUNS },
		);
	});

	it("with a control character is refused wherever it stands", () => {
		const control = fc
			.integer({ min: 0, max: 0x9f })
			.filter((code) => code < 0x20 || code > 0x7e)
			.map((code) => String.fromCharCode(code));
		fc.assert(
			fc.property(
				hostile,
				control,
				hostile,
				fc.constantFrom("read", "write", "skillDir", "scratchDir"),
				(before, character, after, place) => {
					const target = `${BASE}/${before}${character}${after}`;
					const bad = place === "read" || place === "write" ? { [place]: [target] } : { [place]: target };
					expect(() => profileOf(bad)).toThrow(expect.objectContaining({ code: "invalid_grant" }));
				},
			),
			{ numRuns: 500 },
		);
	});
});

describe("a missing escape", () => {
	it("is caught: without it the same paths break out or break the profile", () => {
		const raw = (text: string): string => `(version 1)(deny default)(allow file-read-data (literal "${text}"))`;
		const breakout = '/x")) (allow file-read* (subpath "/';
		expect(evaluateProfile(raw(breakout))("file-read-data", { path: `${HOME}/.ssh/id` }).allowed).toBe(true);
		expect(() => evaluateProfile(raw('/x"'))).toThrow();
		const safe = `(version 1)(deny default)(allow file-read-data (literal ${quote(breakout)}))`;
		expect(evaluateProfile(safe)("file-read-data", { path: `${HOME}/.ssh/id` }).allowed).toBe(false);
	});
});
