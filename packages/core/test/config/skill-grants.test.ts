import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ConfigChange } from "../../src/config/config.js";
import { config, configure, reloadConfig } from "../../src/config/configure.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { Places } from "./places.js";

afterEach(() => {
	reloadConfig();
});

function loaded(text: string, variables: Readonly<Record<string, string>> = {}) {
	const places = new Places();
	places.write(places.userFile, text);
	return places.config(variables).skills.grants;
}

function refusal(attempt: () => unknown): string {
	try {
		attempt();
	} catch (error) {
		expect(ConfigurationError.isInstance(error)).toBe(true);
		return (error as Error).message;
	}
	return "none";
}

const grantOf = (grant: string): string => `skills:\n  grants:\n    ~/skills/pdf: ${grant}\n`;

describe("skills.grants", () => {
	it("is spelt in snake_case in files and variables, in camelCase in code", () => {
		const whole = { fsRead: ["./docs"], fsWrite: ["~/out"], network: true, timeout: 90, limits: { memoryMb: 512, outputBytes: 9 } };
		const text = "{ fs_read: [./docs], fs_write: [~/out], network: true, timeout: 90, limits: { memory_mb: 512, output_bytes: 9 } }";
		expect(loaded(grantOf(text))).toEqual({ "~/skills/pdf": whole });
		const variable = JSON.stringify({ "/srv/skills/x": { fs_read: ["."] } });
		expect(loaded(grantOf(text), { ROBOT_LAB_SKILLS__GRANTS: variable })).toEqual({ "/srv/skills/x": { fsRead: ["."] } });
		expect(configure({ skills: { grants: { "~/skills/pdf": whole } } }).skills.grants).toEqual({ "~/skills/pdf": whole });
	});

	it("means a relative directory where the host is when it says so, in code; a later change replaces all grants", () => {
		configure({ skills: { grants: { "skills/a": { fsRead: ["."] }, "/b": {} } } });
		expect(config().skills.grants).toEqual({ [join(process.cwd(), "skills/a")]: { fsRead: ["."] }, "/b": {} });
		configure({ skills: { grants: { "/c": { network: true } } } });
		expect(config().skills.grants).toEqual({ "/c": { network: true } });
		configure((draft) => {
			draft.skills.grants = { ...draft.skills.grants, "/d": {} };
		});
		expect(Object.keys(config().skills.grants)).toEqual(["/c", "/d"]);
	});

	it("is frozen to the bottom, and shares nothing with what it was given", () => {
		const given = { "/b": { fsRead: ["/x"], limits: { memoryMb: 1 } } };
		const { grants } = configure({ skills: { grants: given } }).skills;
		given["/b"].fsRead.push("/");
		expect(grants).toEqual({ "/b": { fsRead: ["/x"], limits: { memoryMb: 1 } } });
		for (const part of [grants, grants["/b"], grants["/b"]?.fsRead, grants["/b"]?.limits]) expect(Object.isFrozen(part)).toBe(true);
	});

	it("takes a field that is left empty for one that is not there", () => {
		expect(loaded(grantOf("{ fs_read: , network: true }"))).toEqual({ "~/skills/pdf": { network: true } });
		expect(loaded(grantOf(""))).toEqual({ "~/skills/pdf": {} });
	});

	it.each([
		["{ fs_reed: [.] }", 'has an unknown name "fs_reed". Did you mean "fs_read"? Known: fs_read, fs_write, network, timeout, limits'],
		["{ fsRead: [.] }", 'has an unknown name "fsRead". Did you mean "fs_read"?'],
		["{ trust: core }", 'has an unknown name "trust"'],
		["{ __proto__: { network: true } }", 'has an unknown name "__proto__"'],
		["{ limits: { memory: 5 } }", '.limits has an unknown name "memory". Did you mean "memory_mb"?'],
		["{ fs_read: . }", '.fs_read must be a list of paths, not "."'],
		["{ fs_read: [1] }", ".fs_read must hold only paths, not 1"],
		["{ network: 'yes' }", '.network must be true or false, not "yes"'],
		["{ timeout: 20s }", '.timeout must be a whole number of seconds, 1 to 2147483, not "20s"'],
		["{ limits: { memory_mb: 0 } }", ".limits.memory_mb must be a whole number of MiB, 1 or more, not 0"],
		["[.]", "must be a map with some of fs_read, fs_write, network, timeout, limits"],
		["everything", "must be a map with some of"],
	])("refuses %s with the line and what is right", (grant, message) => {
		const text = refusal(() => loaded(grantOf(grant)));
		expect(text).toContain(message);
		expect(text).toMatch(/config\.yml, line 3: skills\.grants\."~\/skills\/pdf"/);
	});

	it.each([
		["skills: { grants: [] }", "skills.grants must be grants by the directories of skills"],
		["skills: { grants: { ./pdf: {} } }", 'skills.grants."./pdf" must be an absolute path or one that begins with ~/'],
		["skills: { grants: { ~ada/pdf: {} } }", 'skills.grants."~ada/pdf" must be an absolute path'],
		['skills: { grants: { "": {} } }', "is no directory of a skill"],
		['skills: { grants: { "/a\\0b": {} } }', "is no directory of a skill"],
	])("refuses %s", (text, message) => {
		expect(refusal(() => loaded(text))).toContain(message);
	});

	it.each([5, "pdf", [], null, { "/a": 5 }, { "/a": [] }, { "/a": { fs_read: ["."] } }, { "/a": { fsRead: "." } }])(
		"refuses %j in code",
		(grants) => {
			const before = config();
			expect(refusal(() => configure({ skills: { grants } } as unknown as ConfigChange))).toMatch(/^configure: skills\.grants/);
			expect(config()).toBe(before);
		},
	);
});
