import { expect, it } from "vitest";
import { unknownText } from "../../src/config/unknown-settings.js";
import { Places } from "./places.js";

function notices(text: string, variables: Readonly<Record<string, string>> = {}): string {
	const places = new Places();
	places.write(places.userFile, text);
	const { notices: said } = places.load(variables);
	return said.join("\n").replaceAll(places.userFile, "FILE");
}

it.each([
	["sandbox: { enabeld: true }", 'line 1 "sandbox.enabeld" (the nearest is sandbox.enabled)'],
	["sandbx: { enabled: true }", 'line 1 "sandbx" (the nearest is sandbox)'],
	["\nfs_read: [.]", 'line 2 "fs_read" (the nearest is sandbox.fs_read)'],
	["sandbox: { fsRead: [.] }", 'line 1 "sandbox.fsRead" (the nearest is sandbox.fs_read)'],
	["sandbox: { memory_mb: 5 }", '"sandbox.memory_mb" (the nearest is sandbox.limits.memory_mb)'],
	["ruby_llm: { model: claude }", '"ruby_llm" (the nearest is model)'],
	["1: 2", 'line 1 "1".'],
	["sandbox: { limts: { processes: 1 } }", '"sandbox.limts" (the nearest is sandbox.limits)'],
	["qqqqqqqq: 1", 'line 1 "qqqqqqqq".'],
	["production: { modle: x/y }", '"production.modle" (the nearest is model)'],
	["stagging: { model: x/y }", '"stagging" (the nearest is model)'],
	["__proto__: { model: x/y }", '"__proto__"'],
	["constructor: 1\nsandbox: { toString: 1 }", '"constructor", line 2 "sandbox.toString"'],
	["<<: { model: x/y }", '"<<" (the nearest is model)'],
])("%j is named in one warning, with the setting that is nearest", (text, words) => {
	expect(notices(text)).toContain(words);
	expect(notices(text)).toContain("FILE: ignored, because there are no such settings: ");
});

it("a variable is named as variables are, and its value never", () => {
	const said = notices("", {
		ROBOT_LAB_SANDBOX__ENABELD: "hush",
		ROBOT_LAB_MODLE: "hush",
		ROBOT_LAB_sandbox__timeout: "hush",
		OTHER: "hush",
	});
	expect(said).toBe(
		"The environment: ignored, because there are no such settings: ROBOT_LAB_MODLE (the nearest is ROBOT_LAB_MODEL), " +
			"ROBOT_LAB_SANDBOX__ENABELD (the nearest is ROBOT_LAB_SANDBOX__ENABLED), ROBOT_LAB_sandbox__timeout (the nearest is ROBOT_LAB_SANDBOX__TIMEOUT).",
	);
});

it("our other variables are no settings", () => {
	expect(notices("", { ROBOT_LAB_ENV: "production", ROBOT_LAB_RUN_ID: "1", ROBOT_LAB_: "", ROBOT_LAB_FOO: "" })).toBe("");
});

it("a hundred unknown settings with endless names are one warning of a length that can be read", () => {
	const unknown = Array.from({ length: 100 }, (_, index) => ({
		name: "x",
		written: `${index}${"x".repeat(5000)}`,
		where: `line ${index}`,
	}));
	const said = unknownText("FILE", unknown) ?? "";
	expect(said).toContain("and 90 more");
	expect(said.length).toBeLessThan(2000);
	expect(unknownText("FILE", [])).toBeUndefined();
});
