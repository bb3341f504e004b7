import { expect, it } from "vitest";
import { usageErrorText } from "../../src/render/usage-error.js";

it("usageErrorText() says where a script's own options go", () => {
	expect(usageErrorText("error: unknown option '--top'\n")).toBe(
		"unknown option '--top'. --help lists the options; arguments for a script go behind --",
	);
});

it("usageErrorText() says which option may have taken an argument that is missing", () => {
	expect(usageErrorText("error: missing required argument 'file'\n", "--skills")).toBe(
		"missing required argument 'file'. --skills takes every word behind it: write the file before --skills, or behind --",
	);
});

it("usageErrorText() keeps a suggestion and adds no second next step", () => {
	expect(usageErrorText("error: unknown command 'rum'\n(Did you mean run?)\n")).toBe("unknown command 'rum'\n(Did you mean run?)");
});

it("usageErrorText() spells out control characters that came from the arguments", () => {
	expect(usageErrorText("error: unknown option '--\u001b[2J'")).toContain("--\\u001b[2J");
});
