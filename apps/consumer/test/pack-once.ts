import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { outsideFolder, type PackageName, pack, packages } from "./packed.js";

declare module "vitest" {
	interface ProvidedContext {
		/** Where each package lies as it would be published. */
		readonly tarballs: Readonly<Record<PackageName, string>>;
	}
}

/** Packs every package once, before the first test, and takes the tarballs away after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
	const folder = await outsideFolder();
	const packed = await Promise.all(
		(Object.keys(packages) as PackageName[]).map(async (name) => {
			const into = join(folder.path, name.replaceAll("/", "-"));
			await mkdir(into);
			return [name, await pack(name, into)] as const;
		}),
	);
	project.provide("tarballs", Object.fromEntries(packed) as Record<PackageName, string>);
	return async () => await folder[Symbol.asyncDispose]();
}
