import { expect, it } from "vitest";
import { columns, wrapped } from "../../src/render/columns.js";

it("columns() pads to the widest cell and leaves no blanks at the end", () => {
	expect(
		columns([
			["a", "bb"],
			["ccc", "d", "e"],
			["f", ""],
		]),
	).toEqual(["  a    bb", "  ccc  d   e", "  f"]);
});

it("wrapped() breaks at blanks and keeps a word that is too long whole", () => {
	expect(wrapped("one two three-and-more four", 8)).toEqual(["one two", "three-and-more", "four"]);
	expect(wrapped("", 8)).toEqual([]);
});
