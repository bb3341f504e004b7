import { mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryDirectory extends AsyncDisposable {
	/** A path in it. */
	file(name: string): string;
}

export async function temporaryDirectory(): Promise<TemporaryDirectory> {
	const path = await mkdtemp(join(tmpdir(), "robot-lab-transport-"));
	return {
		file: (name) => join(path, name),
		[Symbol.asyncDispose]: () => rm(path, { recursive: true }),
	};
}

/** The paths of the files that this process has open. */
export async function openFiles(): Promise<string[]> {
	const descriptors = await readdir("/proc/self/fd");
	return Promise.all(descriptors.map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => "")));
}
