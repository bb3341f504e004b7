import { expect, it } from "vitest";
import { COLOURED, PLAIN, styleFor } from "../../src/render/style.js";

it.each([
	["a terminal", { isTTY: true }, {}, COLOURED],
	["a pipe", {}, {}, PLAIN],
	["a terminal with NO_COLOR", { isTTY: true }, { NO_COLOR: "1" }, PLAIN],
	["a terminal with an empty NO_COLOR", { isTTY: true }, { NO_COLOR: "" }, COLOURED],
	["a dumb terminal", { isTTY: true }, { TERM: "dumb" }, PLAIN],
	["a pipe with FORCE_COLOR", {}, { FORCE_COLOR: "1" }, COLOURED],
	["a terminal with FORCE_COLOR=0", { isTTY: true }, { FORCE_COLOR: "0" }, PLAIN],
	["NO_COLOR and FORCE_COLOR together", { isTTY: true }, { NO_COLOR: "1", FORCE_COLOR: "1" }, PLAIN],
])("styleFor() decides for %s", (_, stream, environment, style) => {
	expect(styleFor(stream, environment)).toBe(style);
});

it("a coloured style sets text off and the plain one changes nothing", () => {
	expect(COLOURED.bad("x")).toBe("\u001b[31mx\u001b[39m");
	expect(PLAIN.bad("x")).toBe("x");
});
