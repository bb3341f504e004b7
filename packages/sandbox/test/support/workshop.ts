import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory of this test's own, gone with it. */
export function workshop(): string {
	const path = realpathSync(mkdtempSync(join(tmpdir(), "sandbox-test-")));
	onTestFinished(() => rmSync(path, { recursive: true, force: true }));
	return path;
}

/** Makes the temporary directory of this process another one until `restore` is called: what lies in it is nobody else's then. */
export function moveTemporaryDirectory(to: string): { readonly restore: () => void } {
	const { TMPDIR } = process.env;
	process.env.TMPDIR = to;
	return {
		restore: () => {
			if (TMPDIR === undefined) delete process.env.TMPDIR;
			else process.env.TMPDIR = TMPDIR;
		},
	};
}

export function put(path: string, text: string, mode = 0o644): string {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
	chmodSync(path, mode);
	return path;
}

/** Whether a process lives. One that ended and that nobody has waited for yet does not. */
export function lives(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return !/^\d+ \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "ENOENT" && process.platform !== "linux";
	}
}
