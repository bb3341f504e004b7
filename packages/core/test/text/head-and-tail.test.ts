import { expect, it } from "vitest";
import { headAndTail } from "../../src/text/head-and-tail.js";

it("headAndTail() keeps both ends of a long text and a short one whole", () => {
	expect(headAndTail("abcdef", 4)).toBe("ab\nef");
	expect(headAndTail("abcd", 4)).toBe("abcd");
});
