import { describe, expect, it } from "vitest";
import { evaluateProfile } from "../../../src/sbpl/index.js";
import { CHANGES, can, canChange, cannotChange, file, ISLAND, PROTECTED } from "../checks/check.js";
import { NEIGHBOURS, PERSISTENCE, PERSISTENT_NAMES } from "../checks/inside.js";
import { SCENARIOS, SURROUNDED } from "../checks/scenarios.js";
import { HOME, PROJECT, profileOf, SCRATCH, SKILL } from "../pretend-mac.js";
import { itStops } from "./attack.js";

const OUT = `${PROJECT}/out`;
const changes = (profile: string, path: string): readonly string[] => {
	const decide = evaluateProfile(profile);
	return CHANGES.filter((operation) => decide(operation, file(path)).allowed);
};

describe.each(SCENARIOS)("writing what the host runs later, at the top of what may be written ($name)", ({ profile }) => {
	itStops({ profile, checks: PERSISTENCE });
});

describe("a protected name", () => {
	const { profile } = SCENARIOS[0];

	it("is denied by each operation of its own, so that no later rule of a wildcard opens it", () => {
		const later = `${profile}(allow file-write* (subpath "/"))`;
		for (const path of [`${OUT}/.git/hooks/x`, `${OUT}/.zshrc`, `${OUT}/.git`]) expect(changes(later, path)).toEqual([]);
		expect(changes(later, "/Users/other")).toContain("file-write-data");
	});

	it("is denied by the wildcard too, for operations that later systems have", () => {
		expect(evaluateProfile(profile)("file-write*", file(`${OUT}/.zshrc`)).rule).toMatch(/^\(deny file-write\* .*file-write-acl/);
	});

	it("can be read", () => {
		for (const name of PERSISTENT_NAMES) expect(evaluateProfile(profile)("file-read-data", file(`${OUT}/${name}`)).allowed).toBe(true);
	});

	it("is one at the top of each directory to write, one in another included, and nowhere else", () => {
		const nested = profileOf({ write: [PROJECT, `${PROJECT}/a/b`, "/Volumes/x/y/z/w"] });
		for (const root of [PROJECT, `${PROJECT}/a/b`, "/Volumes/x/y/z/w"]) expect(changes(nested, `${root}/.git/hooks/x`)).toEqual([]);
		for (const path of [`${PROJECT}/a/.zshrc`, `${PROJECT}/a/b/c/.git/config`, `${SCRATCH}/.zshrc`])
			expect(changes(nested, path)).toEqual(CHANGES);
	});

	it("is one in a repository that is the grant, by what is left of its name", () => {
		const repository = profileOf({ write: [`${PROJECT}/.Git`, `${PROJECT}/.claude`] });
		const closed = [".Git/hooks/x", ".Git/CONFIG", ".Git/commondir", ".claude/agents/x", ".Git/hoo\u212as", ".claude/ſettings.json"];
		for (const name of closed) expect(changes(repository, `${PROJECT}/${name}`), name).toEqual([]);
		for (const name of [".Git/HEAD", ".Git/objects/ab/cd", ".claude/notes.md"])
			expect(changes(repository, `${PROJECT}/${name}`), name).toEqual(CHANGES);
	});

	it("is one of a home directory's where the directory it lies in is the grant", () => {
		const profile = profileOf({ write: [`${HOME}/Library`, `${HOME}/.config`, PROJECT] });
		for (const name of [
			"Library/LaunchAgents/x.plist",
			".config/fish/config.fish",
			".config/git/config",
			".config/robot_lab/config.yml",
			".config/systemd/user/x",
		])
			expect(changes(profile, `${HOME}/${name}`), name).toEqual([]);
		for (const name of ["Library/Caches/x", ".config/app/x", "project/Library/LaunchAgents/x", "project/.config/fish/x"])
			expect(changes(profile, `${HOME}/${name}`), name).toEqual(CHANGES);
	});

	it("is where a link in its place leads, if that may be written", () => {
		const targets = [`${PROJECT}/dotfiles/vscode`, "/Volumes/elsewhere/hooks", PROJECT];
		const linked = profileOf({ write: [PROJECT], facts: { protectedTargets: targets } });
		const decide = evaluateProfile(linked);
		expect(changes(linked, `${PROJECT}/dotfiles/vscode/tasks.json`)).toEqual([]);
		expect(decide("file-write-unlink", file(`${PROJECT}/dotfiles`)).allowed).toBe(false);
		expect(changes(linked, `${PROJECT}/dotfiles/other`)).toEqual(CHANGES);
		expect(decide("file-read-data", file("/Volumes/elsewhere/hooks/x")).allowed).toBe(false);
		expect(
			changes(profileOf({ write: [PROJECT], protect: false, facts: { protectedTargets: targets } }), `${PROJECT}/dotfiles/vscode/x`),
		).toEqual(CHANGES);
	});
});

describe("what was asked for by name", () => {
	const profile = profileOf({
		write: [PROJECT, `${PROJECT}/.git/hooks`, `${PROJECT}/.vscode/snippets`, `${PROJECT}/.git/hooks/keep/w`],
		read: [`${PROJECT}/.git/hooks/keep`],
	});
	itStops({
		profile,
		checks: [
			...canChange(`${PROJECT}/.git/hooks/pre-commit`),
			...canChange(`${PROJECT}/.vscode/snippets/x`),
			...canChange(`${PROJECT}/.git/hooks/keep/w/x`),
			...cannotChange(`${PROJECT}/.git/hooks/keep/x`, ISLAND),
			...cannotChange(`${PROJECT}/.vscode/tasks.json`, PROTECTED),
			...cannotChange(`${PROJECT}/.git/config`, PROTECTED),
			...cannotChange(`${PROJECT}/.git/hooks/.zshrc`, PROTECTED),
		],
	});

	it("is found by another spelling as well, as a directory that exists may have it", () => {
		expect(changes(profileOf({ write: [PROJECT, `${PROJECT}/.GIT/Hooks`] }), `${PROJECT}/.GIT/Hooks/x`)).toEqual(CHANGES);
	});

	it("opens what lies in something protected and nothing beside, where no directory around it may be written", () => {
		const alone = profileOf({ write: [`${PROJECT}/.git/hooks`] });
		expect(changes(alone, `${PROJECT}/.git/hooks/pre-commit`)).toEqual(CHANGES);
		expect(changes(alone, `${PROJECT}/.git/config`)).toEqual([]);
	});
});

describe("the skill's own directory in what may be written", () => {
	itStops({ profile: SURROUNDED.profile, checks: SURROUNDED.checks.filter(({ what }) => /skill/.test(what)) });

	it("is protected without protection too, and open where the grant names it", () => {
		expect(changes(profileOf({ write: [`${HOME}/.prompts`], protect: false }), `${SKILL}/SKILL.md`)).toEqual([]);
		expect(changes(profileOf({ write: [SKILL] }), `${SKILL}/SKILL.md`)).toEqual(CHANGES);
	});
});

describe("protect: false", () => {
	const profile = profileOf({ write: [OUT], protect: false });
	itStops({
		profile,
		checks: [...NEIGHBOURS, ...PERSISTENT_NAMES.map((name) => `${OUT}/${name}`)].map((path) => can(path, "file-write-create", file(path))),
	});

	it("leaves no trace in the profile", () => {
		expect(profile).not.toMatch(/regex|acl/);
		expect(profileOf({ write: [OUT] })).toMatch(/regex/);
	});
});

describe("a file that is granted by itself", () => {
	it("can be replaced by another, as programs do that save at once, and so can what does not exist yet", () => {
		for (const kind of ["file", "nothing"] as const) {
			expect(changes(profileOf({ write: [OUT], facts: { kinds: new Map([[OUT, kind]]) } }), OUT)).toEqual(CHANGES);
		}
		expect(changes(profileOf({ write: [OUT] }), OUT)).not.toContain("file-write-unlink");
	});

	it("has protected names, as another may be put in its place that is a directory", () => {
		for (const kind of ["file", "nothing"] as const) {
			expect(changes(profileOf({ write: [OUT], facts: { kinds: new Map([[OUT, kind]]) } }), `${OUT}/.git/hooks/x`)).toEqual([]);
		}
	});
});

describe("300 grants", () => {
	it("need one rule for each depth, not one for each directory", () => {
		const write = Array.from({ length: 300 }, (_, index) => `${PROJECT}/${index}`);
		const profile = profileOf({ write });
		expect(profile.match(/file-write-acl/g)).toHaveLength(1);
		expect(changes(profile, `${PROJECT}/299/.git/hooks/x`)).toEqual([]);
		expect(changes(profile, `${PROJECT}/299/git/hooks/x`)).toEqual(CHANGES);
	});

	it("may lie 100 directories deep, in texts that a profile reader holds, and no deeper unless nothing is protected", () => {
		const deep = "/d".repeat(100);
		const texts = [...profileOf({ write: [deep] }).matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => Buffer.byteLength(text));
		expect(Math.max(...texts)).toBeLessThan(1000);
		expect(changes(profileOf({ write: [deep] }), `${deep}/.git/hooks/x`)).toEqual([]);
		expect(() => profileOf({ write: [`${deep}/d`] })).toThrow(
			expect.objectContaining({ code: "invalid_grant", message: expect.stringContaining("sandbox.protect") }),
		);
		expect(changes(profileOf({ write: [`${deep}/d`], protect: false }), `${deep}/d/.git/hooks/x`)).toEqual(CHANGES);
	});
});
