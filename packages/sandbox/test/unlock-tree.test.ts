import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createPrivateDirectory } from "../src/host/private-directory.js";
import { unlockDirectory, unlockTree } from "../src/host/unlock-tree.js";
import { moveTemporaryDirectory, put, workshop } from "./support/workshop.js";

const modeOf = (path: string): number => statSync(path).mode & 0o777;

function lockedTree(directory: string): string {
	const root = join(directory, "root");
	put(join(root, "a/b/c/file"), "x");
	for (const name of ["a/b/c", "a/b", "a"]) chmodSync(join(root, name), 0);
	chmodSync(root, 0);
	return root;
}

describe("unlockTree()", () => {
	it("opens every directory of a tree that its owner locked", async () => {
		const root = lockedTree(workshop());
		await unlockTree(root);
		expect(["", "a", "a/b", "a/b/c"].map((name) => modeOf(join(root, name)))).toEqual([0o700, 0o700, 0o700, 0o700]);
	});

	it("leaves what links in a tree lead to as it is", async () => {
		const directory = workshop();
		const outside = join(directory, "outside");
		mkdirSync(join(outside, "deep"), { recursive: true, mode: 0o750 });
		chmodSync(outside, 0o750);
		const root = lockedTree(directory);
		chmodSync(root, 0o700);
		symlinkSync(outside, join(root, "link"));
		await unlockTree(root);
		await unlockTree(join(root, "link"));
		expect([outside, join(outside, "deep")].map(modeOf)).toEqual([0o750, 0o750]);
	});

	it("never throws: not for what is missing, not for a file", async () => {
		const directory = workshop();
		await unlockTree(join(directory, "missing"));
		await unlockTree(put(join(directory, "file"), "x", 0o640));
		expect(modeOf(join(directory, "file"))).toBe(0o640);
	});
});

describe("unlockDirectory()", () => {
	it("rejects for a link, as one that was put in a directory's place, and changes nothing behind it", async () => {
		const directory = workshop();
		const outside = join(directory, "outside");
		mkdirSync(outside);
		chmodSync(outside, 0o750);
		const link = join(directory, "link");
		symlinkSync(outside, link);
		await expect(unlockDirectory(link)).rejects.toMatchObject({ code: expect.stringMatching(/ELOOP|ENOTDIR/) });
		expect(modeOf(outside)).toBe(0o750);
		// The control: what changes modes by name changes that one.
		await chmod(link, 0o700);
		expect(modeOf(outside)).toBe(0o700);
	});
});

describe("createPrivateDirectory()", () => {
	it("is removed with what was locked in it", async () => {
		const temporary = workshop();
		const { restore } = moveTemporaryDirectory(temporary);
		try {
			const { path, remove } = await createPrivateDirectory("robot-lab-run-");
			lockedTree(path);
			await remove();
			expect(readdirSync(temporary)).toEqual([]);
		} finally {
			restore();
		}
	});

	it("is removed although something that was left running goes on filling it by its name", async () => {
		const temporary = workshop();
		const { restore } = moveTemporaryDirectory(temporary);
		const { path, remove } = await createPrivateDirectory("robot-lab-run-").finally(restore);
		for (let n = 0; n < 500; n++) mkdirSync(join(path, `old${n}`));
		const filling = spawn("perl", ["-e", "for (0 .. 100000) { mkdir qq($ARGV[0]/$_) or exit 7 }", path], { stdio: "ignore" });
		const over = once(filling, "exit");
		await vi.waitUntil(() => existsSync(join(path, "100")));
		await remove();
		// It came to find no directory of that name any more, and not to its own end.
		expect(await over).toEqual([7, null]);
		expect(readdirSync(temporary)).toEqual([]);
	});
});
