import { expect, it } from "vitest";
import { usageErrorText } from "../../src/render/usage-error.js";

it("usageErrorText() says where a script's own options go", () => {
	expect(usageErrorText("error: unknown option '--top'\n")).toBe(
		"unknown option '--top'. --help lists the options; arguments for a script go behind --",
	);
});

it("usageErrorText() keeps a suggestion and adds no second next step", () => {
	expect(usageErrorText("error: unknown command 'rum'\n(Did you mean run?)\n")).toBe("unknown command 'rum'\n(Did you mean run?)");
});

it("usageErrorText() spells out control characters that came from the arguments", () => {
	expect(usageErrorText("error: unknown option '--\u001b[2J'")).toContain("--\\u001b[2J");
});
