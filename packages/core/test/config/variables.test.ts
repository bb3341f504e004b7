import { describe, expect, it } from "vitest";
import { environmentName } from "../../src/config/environment-name.js";
import { readVariables, variableOf } from "../../src/config/read-variables.js";
import { SETTINGS } from "../../src/config/settings.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";

const read = (variable: string, text: string): unknown => readVariables({ [variable]: text }).settings[0]?.value;

describe("ROBOT_LAB_* variables", () => {
	it("are the settings' names in capitals, with __ between section and key", () => {
		expect(variableOf("sandbox.limits.memory_mb")).toBe("ROBOT_LAB_SANDBOX__LIMITS__MEMORY_MB");
		for (const name of SETTINGS.keys()) {
			const text = ["1", "/a", "work", "auto", "scrub", "256", "off", "strict", "both", "{}"].find((value) => accepted(name, value));
			expect(text, name).toBeDefined();
		}
	});

	const accepted = (name: string, text: string): boolean => {
		try {
			return readVariables({ [variableOf(name)]: text }).settings[0]?.name === name;
		} catch {
			return false;
		}
	};

	it.each([
		["ROBOT_LAB_SANDBOX__ENABLED", "true", true],
		["ROBOT_LAB_SANDBOX__ENABLED", "1", true],
		["ROBOT_LAB_SANDBOX__ENABLED", "FALSE", false],
		["ROBOT_LAB_SANDBOX__ENABLED", "0", false],
		["ROBOT_LAB_SANDBOX__TIMEOUT", "1", 1],
		["ROBOT_LAB_SANDBOX__TIMEOUT", "90", 90],
		["ROBOT_LAB_MODEL", "true", "true"],
		["ROBOT_LAB_MODEL", "1", "1"],
		["ROBOT_LAB_MODEL", "a/b,c", "a/b,c"],
		["ROBOT_LAB_SANDBOX__FS_READ", ".", ["."]],
		["ROBOT_LAB_SANDBOX__FS_READ", ". , /b c,1", [".", "/b c", "1"]],
		["ROBOT_LAB_SANDBOX__FS_READ", '["/with,comma"]', ["/with,comma"]],
		["ROBOT_LAB_SANDBOX__FS_READ", "[]", []],
		["ROBOT_LAB_SANDBOX__FS_READ", "[odd,name]", ["[odd", "name]"]],
	])("%s=%s is read as what the setting takes", (variable, text, value) => {
		expect(read(variable, text)).toEqual(value);
		expect(readVariables({ [variable]: text }).settings[0]?.origin).toEqual({ layer: "variable", variable });
	});

	it("sets nothing when it is empty", () => {
		expect(readVariables({ ROBOT_LAB_SANDBOX__ENABLED: "", ROBOT_LAB_MODEL: undefined })).toEqual({ settings: [], unknown: [] });
	});

	it.each([
		[
			"ROBOT_LAB_SANDBOX__ENABLED",
			"yes",
			'ROBOT_LAB_SANDBOX__ENABLED: sandbox.enabled must be true or false, not "yes". Correct the variable or unset it.',
		],
		["ROBOT_LAB_SANDBOX__TIMEOUT", "0", "sandbox.timeout must be a whole number of seconds, 1 to 2147483"],
		["ROBOT_LAB_SANDBOX__TIMEOUT", "-5", 'not "-5"'],
		["ROBOT_LAB_SANDBOX__TIMEOUT", "1e3", 'not "1e3"'],
		["ROBOT_LAB_SANDBOX__BACKEND", "docker", "one of auto, seatbelt, bubblewrap, none"],
		["ROBOT_LAB_SANDBOX__ENV_PASS", "CI,NODE_OPTIONS", 'not "NODE_OPTIONS"'],
		["ROBOT_LAB_SANDBOX__FS_READ", "a,,b", 'must hold only paths, not ""'],
		["ROBOT_LAB_SANDBOX__FS_READ", "[3]", "must hold only paths, not 3"],
		["ROBOT_LAB_SANDBOX", "true", "ROBOT_LAB_SANDBOX sets nothing: sandbox is a section. Set one of ROBOT_LAB_SANDBOX__ENABLED, "],
		["ROBOT_LAB_SANDBOX__LIMITS", "1", "Set one of ROBOT_LAB_SANDBOX__LIMITS__MEMORY_MB, "],
	])("%s=%s is an error that names the variable", (variable, text, message) => {
		expect(() => readVariables({ [variable]: text })).toThrow(ConfigurationError);
		expect(() => readVariables({ [variable]: text })).toThrow(message);
	});
});

describe("the environment", () => {
	it.each([
		[{}, "development"],
		[{ NODE_ENV: "production" }, "production"],
		[{ NODE_ENV: "production", ROBOT_LAB_ENV: "staging-2" }, "staging-2"],
		[{ NODE_ENV: "production", ROBOT_LAB_ENV: "" }, "production"],
	])("of %j is %s", (variables, name) => {
		expect(environmentName(variables)).toBe(name);
	});

	it.each(["sandbox", "model", "defaults", "trusted_projects", "a b", "1", "sandbox.limits"])("cannot be called %j", (name) => {
		expect(() => environmentName({ ROBOT_LAB_ENV: name })).toThrow(ConfigurationError);
		expect(() => environmentName({ NODE_ENV: name })).toThrow(/^NODE_ENV .*cannot be the name of an environment/);
	});
});
