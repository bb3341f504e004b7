import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { evaluateProfile } from "../../src/sbpl/index.js";
import { BASE_RULES } from "../../src/seatbelt/base-rules.js";
import { type Check, holds } from "./checks/check.js";
import { GRANTED } from "./checks/inside.js";
import { NEEDED } from "./checks/needed.js";
import { SCENARIOS } from "./checks/scenarios.js";
import { HOME, PROJECT, profileOf, SKILL, TMP } from "./pretend-mac.js";

/** What has to fail is in attacks/. */
describe.each(SCENARIOS)("seatbeltProfile() for the $name grant lets programs work:", ({ profile }) => {
	const decide = evaluateProfile(profile);
	it.each([...NEEDED, ...GRANTED].map((check): [string, Check] => [check.what, check]))("%s", (_, check) => {
		expect(holds(decide, check)).toBe(true);
	});
});

const reads = (profile: string, path: string): boolean =>
	evaluateProfile(profile)("file-read-data", { path, vnodeType: "REGULAR-FILE" }).allowed;
const writes = (profile: string, path: string): boolean =>
	evaluateProfile(profile)("file-write-data", { path, vnodeType: "REGULAR-FILE" }).allowed;

describe("seatbeltProfile()", () => {
	/**
	 * The pin changes when a rule of the base table or the form of the tail does. Look at every changed line: a rule that
	 * allows more needs a reason in the table, and checks that show what it does not open.
	 */
	it("is exactly the pinned text for a plain grant", () => {
		const pinned = readFileSync(new URL("../fixtures/plain-grant.sb", import.meta.url), "utf8");
		expect(profileOf({ read: [`${PROJECT}/data`], write: [`${PROJECT}/out`], network: true })).toBe(pinned);
	});

	it("gives every base rule a reason and a first system, one line each in ASCII", () => {
		for (const { rule, why, since } of BASE_RULES) {
			expect(why, rule).toMatch(/^[\x20-\x7e]{3,}$/);
			expect(since, rule).toMatch(/^(any|\d+(\.\d+)?)$/);
		}
		expect(new Set(BASE_RULES.map(({ rule }) => rule)).size).toBe(BASE_RULES.length);
	});

	it("never leaves a network rule without a filter", () => {
		for (const { profile } of SCENARIOS) expect(profile).not.toMatch(/\((allow|deny) network[^ ]*\)/);
	});

	it("gives the same bytes for the same grant in any order, repeated or not", () => {
		const read = [`${PROJECT}/b`, `${PROJECT}/a/x`, `${PROJECT}/a`, `${HOME}/é`, `${HOME}/z`];
		const write = [`${PROJECT}/w/1`, `${PROJECT}/w/2`];
		const links = [`${HOME}/l1`, `${HOME}/l2`];
		const one = profileOf({ read, write, facts: { links, toolRoots: ["/opt/a/bin", "/opt/b/bin"] } });
		const other = profileOf({
			read: [...read, ...read].reverse(),
			write: [...write, ...write].reverse(),
			facts: { links: [...links].reverse(), toolRoots: ["/opt/b/bin", "/opt/a/bin"] },
		});
		expect(other).toBe(one);
	});

	it("has one rule a path", () => {
		const profile = profileOf({ read: [PROJECT, `${PROJECT}/a`, PROJECT], write: [`${PROJECT}/a`, `${PROJECT}/a/b`] });
		const paths = [...profile.matchAll(/^\(allow file-read\*[^\n]* \(subpath ("[^\n]*")\)\)$/gm)].map((match) => match[1]);
		expect(paths).toContain(JSON.stringify(`${PROJECT}/a`));
		expect(new Set(paths).size).toBe(paths.length);
	});

	it("makes a path of both lists writable", () => {
		const profile = profileOf({ read: [`${PROJECT}/d`], write: [`${PROJECT}/d`] });
		expect(writes(profile, `${PROJECT}/d/x`)).toBe(true);
	});

	it("lets what may be written be read, because nobody can use a directory that is write-only", () => {
		expect(reads(profileOf({ write: [`${PROJECT}/d`] }), `${PROJECT}/d/x`)).toBe(true);
	});

	it("lets a skill write into its own directory only where the grant names it or a part of it", () => {
		expect(writes(profileOf({ write: [PROJECT], skillDir: `${PROJECT}/s` }), `${PROJECT}/s/x`)).toBe(false);
		expect(writes(profileOf({ write: [PROJECT, `${PROJECT}/s/data`], skillDir: `${PROJECT}/s` }), `${PROJECT}/s/data/x`)).toBe(true);
		expect(writes(profileOf({ write: [PROJECT, `${PROJECT}/s/data`], skillDir: `${PROJECT}/s` }), `${PROJECT}/s/x`)).toBe(false);
		expect(writes(profileOf({ write: [SKILL] }), `${SKILL}/x`)).toBe(true);
	});

	it("reads the home directory where the grant says so, and only then", () => {
		expect(reads(profileOf({ read: [HOME] }), `${HOME}/x`)).toBe(true);
		expect(reads(profileOf({ read: [`${HOME}/a`] }), `${HOME}/x`)).toBe(false);
	});

	it("reads the home directory by its other name only under a grant that names it, the data volume or the whole disk", () => {
		const key = "/System/Volumes/Data/Users/u/.ssh/id_rsa";
		const places = ["/System/Library", "/System/Volumes/Preboot", "/System/Volumes/Data/opt", "/Volumes", "/Library", "/private", "/usr"];
		for (const path of places) {
			expect(reads(profileOf({ read: [path] }), key), path).toBe(false);
			expect(reads(profileOf({ write: [path] }), key), path).toBe(false);
		}
		expect(reads(profileOf({ read: [HOME] }), key)).toBe(false);
		for (const path of ["/System", "/System/Volumes", "/System/Volumes/Data"]) {
			expect(reads(profileOf({ facts: { toolRoots: [path] } }), key), path).toBe(false);
		}
		for (const path of ["/", "/System/Volumes/Data"]) expect(reads(profileOf({ read: [path] }), key), path).toBe(true);
	});

	it("never reads the home directory for the sake of an interpreter", () => {
		for (const root of [HOME, "/Users", "/"]) {
			expect(reads(profileOf({ facts: { toolRoots: [root] } }), `${HOME}/.ssh/id`)).toBe(false);
		}
		expect(
			reads(profileOf({ facts: { toolRoots: [`${HOME}/.nvm/versions/node/v24.0.0`] } }), `${HOME}/.nvm/versions/node/v24.0.0/bin/node`),
		).toBe(true);
	});

	it("spells system links, firmlinks and the home directory of the data volume as the kernel does", () => {
		const profile = profileOf({
			read: ["/tmp/a", "/var/b", "/etc/c", "/home/d", "/System/Volumes/Data/Users/u/e"],
			facts: { realPaths: new Map([["rel", `${PROJECT}/rel`]]) },
		});
		for (const path of ["/private/tmp/a/x", "/private/var/b/x", "/private/etc/c/x", "/System/Volumes/Data/home/d/x", "/Users/u/e/x"]) {
			expect(reads(profile, path)).toBe(true);
		}
		const filters = [...profile.matchAll(/"(\/[^"\n]*)"/g)].map((match) => match[1]);
		expect(filters.filter((path) => /^\/(tmp|var|etc|home)\//.test(path ?? ""))).toEqual([]);
	});

	it("grants what a spelling really leads to, not the spelling", () => {
		const profile = profileOf({ read: ["data"], facts: { realPaths: new Map([["data", "/Volumes/big/data"]]) } });
		expect(reads(profile, "/Volumes/big/data/x")).toBe(true);
	});

	it("lets every link on the way be looked at, and not what else lies beside it", () => {
		const decide = evaluateProfile(profileOf({ read: ["/Volumes/big/data"], facts: { links: [`${HOME}/link/data`] } }));
		const look = (path: string): boolean => decide("file-read-metadata", { path, vnodeType: "SYMLINK" }).allowed;
		expect([`${HOME}/link/data`, `${HOME}/link`, "/Volumes/big", "/Volumes"].map(look)).toEqual([true, true, true, true]);
		expect([`${HOME}/link/other`, "/Volumes/other"].map(look)).toEqual([false, false]);
	});

	it("hides profiles in a temporary directory at the root too", () => {
		const decide = evaluateProfile(profileOf({ read: ["/"], scratchDir: "/s", facts: { temporaryDirectory: "/" } }));
		expect(decide("file-read-data", { path: "/robot-lab-seatbelt-1/profile.sb", vnodeType: "REGULAR-FILE" }).allowed).toBe(false);
	});
});

describe("seatbeltProfile() refuses", () => {
	const refusal = (scene: Parameters<typeof profileOf>[0]): unknown => {
		try {
			return profileOf(scene);
		} catch (error) {
			return error;
		}
	};

	it.each([
		["a newline", { read: [`${PROJECT}/a\nb`] }],
		["a NUL", { read: [`${PROJECT}/a\0b`] }],
		["a DEL", { write: [`${PROJECT}/a\x7fb`] }],
		["a lone surrogate", { read: [`${PROJECT}/a\ud800`] }],
		["what bytes that are no UTF-8 become", { read: [`${PROJECT}/a\ufffd`] }],
		["a relative path", { read: ["data"] }],
		["a spelling that no filter would ever match", { read: [`${PROJECT}/a/../b`] }],
		["a trailing slash", { write: [`${PROJECT}/a/`] }],
		["an empty name", { read: [`${PROJECT}//a`] }],
		["more than 1,000 bytes", { read: [`/${"a".repeat(1000)}`] }],
		["more than 1,000 bytes with escapes", { read: [`/${'"'.repeat(500)}`] }],
		["2,000 characters", { write: [`/${"é".repeat(2000)}`] }],
		["a newline in the skill's directory", { skillDir: `${HOME}/a\n` }],
		["a newline in a path of the computer", { facts: { workingDirectory: "/a\nb" } }],
		["writing the root", { write: ["/"] }],
		["writing the home directory", { write: [HOME] }],
		["writing the home directory by its other name", { write: [`/System/Volumes/Data${HOME}`] }],
		["writing above the home directory", { write: ["/Users"] }],
		["writing the data volume", { write: ["/System/Volumes/Data"] }],
		...["/System", "/System/Volumes", "/system/VOLUMES"].flatMap((path): [string, Parameters<typeof profileOf>[0]][] => [
			[`reading the data volume as a part of ${path}`, { read: [path] }],
			[`writing the data volume as a part of ${path}`, { write: [path] }],
			[`a skill that holds the data volume as a part of ${path}`, { skillDir: path }],
		]),
		["a skill that is the data volume", { skillDir: "/System/Volumes/Data" }],
		["a skill that is the home directory", { skillDir: HOME }],
		["a skill above the home directory", { skillDir: "/" }],
	])("%s, as invalid_grant in one short line", (_, scene) => {
		const error = refusal(scene);
		expect(error).toMatchObject({ name: "SandboxUnavailableError", code: "invalid_grant" });
		const { message } = error as Error;
		expect(message).toMatch(/^[^\n\0]{20,400}$/);
	});

	it("nothing that is merely unusual", () => {
		for (const name of [" ", "a b", "$(x)", "`x`", "*", "üñí", "日本", "#", ";", "~", "-rf", "'", '"', "\\", "%", "(", ")"]) {
			const profile = profileOf({ read: [`${PROJECT}/${name}`], skillDir: `${PROJECT}/s${name}`, scratchDir: `${TMP}/${name}` });
			expect(reads(profile, `${PROJECT}/${name}/x`)).toBe(true);
		}
	});
});
