import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { inject } from "vitest";

/** The workspace itself. */
export const repository: string = fileURLToPath(new URL("../../..", import.meta.url));

/** Where each package lies in the workspace. */
export const packages = {
	"@robot-lab/core": join(repository, "packages/core"),
	"@robot-lab/sandbox": join(repository, "packages/sandbox"),
	"@robot-lab/embeddings-en": join(repository, "packages/embeddings-en"),
	"robot-lab": join(repository, "apps/cli"),
} as const;

export type PackageName = keyof typeof packages;

/** A folder outside the workspace that goes away with the test. */
export async function outsideFolder(): Promise<AsyncDisposable & { readonly path: string }> {
	const path = await mkdtemp(join(tmpdir(), "robot-lab-consumer-"));
	return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Packs a package as it would be published into an empty folder and gives the tarball's path. */
export async function pack(name: PackageName, into: string): Promise<string> {
	await pnpm(["pack", "--pack-destination", into], packages[name]);
	const [tarball, ...more] = await readdir(into);
	if (tarball === undefined || more.length > 0) throw new Error(`pnpm pack left no tarball of ${name}, or more than one`);
	return join(into, tarball);
}

/** The tarball of a package, which was packed once for all test files. */
export const tarball = (name: PackageName): string => inject("tarballs")[name];

/** Makes a project of `folder` where there is none, and adds tarballs or packages of the registry with npm. */
export async function installed(folder: string, added: readonly string[]): Promise<void> {
	const start = JSON.stringify({ name: "consumer", private: true, type: "module" });
	await writeFile(join(folder, "package.json"), start, { flag: "wx" }).catch(() => {});
	await execa("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...added], { cwd: folder });
}

/** Runs a file of the consumer project on the pinned Node and gives what it printed. */
export async function runFile(
	folder: string,
	name: string,
	source: string,
	env: Readonly<Record<string, string>> = {},
): Promise<{ stdout: string; stderr: string }> {
	await writeFile(join(folder, name), source);
	return await execa(process.execPath, [name], { cwd: folder, env });
}

/** The manifest as it stands in the workspace. */
export async function manifest(name: PackageName): Promise<{ readonly version: string; readonly [field: string]: unknown }> {
	return JSON.parse(await readFile(join(packages[name], "package.json"), "utf8"));
}

async function pnpm(args: readonly string[], cwd: string): Promise<void> {
	const onPath = process.env.npm_config_user_agent?.startsWith("pnpm/");
	const [program, ...first] = onPath ? ["pnpm"] : ["npx", "--yes", "pnpm@12.21.0"];
	await execa(program as string, [...first, ...args], { cwd });
}
