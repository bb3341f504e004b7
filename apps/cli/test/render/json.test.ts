import { expect, it } from "vitest";
import { jsonDocument, jsonLine } from "../../src/render/json.js";

const HOSTILE = "\u001b[2J \u009b2J \u007f \u202e \u2028 \u2029 \r\n \ud800 \u3164 \u00ad \u{e0041} \u{e01f0} é 漢 \\u001b";

it.each([jsonLine, jsonDocument])(
	"%o gives JSON of the same value, without what a terminal obeys or a reader takes for a line's end",
	(json) => {
		const text = json({ [HOSTILE]: HOSTILE });
		expect(JSON.parse(text)).toEqual({ [HOSTILE]: HOSTILE });
		// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not come through
		expect(text.trimEnd()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028\u2029\p{DI}]/u);
	},
);

it("jsonLine() is one line", () => {
	expect(jsonLine({ a: "1\n2\r\n3" })).toBe('{"a":"1\\n2\\r\\n3"}\n');
});
