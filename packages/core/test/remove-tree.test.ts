import { chmodSync, existsSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { removeTree } from "./remove-tree.js";

it("removeTree() removes locked directories and leaves what a link leads to", () => {
	const [directory, outside] = ["tree-", "outside-"].map((name) => mkdtempSync(join(tmpdir(), name))) as [string, string];
	mkdirSync(join(directory, "locked", "inner"), { recursive: true });
	symlinkSync(outside, join(directory, "link"));
	chmodSync(join(directory, "locked", "inner"), 0o000);
	chmodSync(join(directory, "locked"), 0o000);
	removeTree(directory);
	expect(existsSync(directory)).toBe(false);
	expect(existsSync(outside)).toBe(true);
	removeTree(outside);
	expect(() => removeTree(directory)).not.toThrow();
});
