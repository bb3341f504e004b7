import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import commonjs from "@rollup/plugin-commonjs";
import json from "@rollup/plugin-json";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import * as esbuild from "esbuild";
import { execa } from "execa";
import { type Plugin, type RollupCache, rollup } from "rollup";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outsideFolder, packages } from "./packed.js";

// A consumer that imports sandbox for its effect alone is what tree-shaking would love to remove.
const source = `
import "@robot-lab/sandbox";
import { ScriptTool } from "@robot-lab/core";
console.log(ScriptTool.executor?.name ?? "no executor");
`;

// These two plug-ins declare their default export in CommonJS style, which an ES module consumer's types see as a namespace.
const callable = (plugin: unknown): Plugin => (plugin as () => Plugin)();

const controlSource = source.replace('import "@robot-lab/sandbox";', "");

let folder: Awaited<ReturnType<typeof outsideFolder>>;

beforeAll(async () => {
	folder = await outsideFolder();
	await mkdir(join(folder.path, "node_modules/@robot-lab"), { recursive: true });
	await symlink(packages["@robot-lab/core"], join(folder.path, "node_modules/@robot-lab/core"));
	await symlink(packages["@robot-lab/sandbox"], join(folder.path, "node_modules/@robot-lab/sandbox"));
	await writeFile(join(folder.path, "package.json"), JSON.stringify({ type: "module" }));
	await writeFile(join(folder.path, "main.js"), source);
	await writeFile(join(folder.path, "control.js"), controlSource);
});

afterAll(() => folder[Symbol.asyncDispose]());

async function withEsbuild(entry: string): Promise<string> {
	const outfile = join(folder.path, `esbuild-${entry}.mjs`);
	await esbuild.build({
		entryPoints: [join(folder.path, `${entry}.js`)],
		outfile,
		bundle: true,
		minify: true,
		treeShaking: true,
		platform: "node",
		format: "esm",
		logLevel: "silent",
		// Dependencies written in CommonJS ask for require inside an ES module bundle.
		banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
	});
	return outfile;
}

/** What both bundles have in common is read once. */
let cache: RollupCache | undefined;

async function withRollup(entry: string): Promise<string> {
	const file = join(folder.path, `rollup-${entry}.mjs`);
	const bundle = await rollup({
		input: join(folder.path, `${entry}.js`),
		treeshake: true,
		cache,
		onLog: () => {},
		plugins: [nodeResolve({ exportConditions: ["node"] }), callable(commonjs), callable(json)],
	});
	cache = bundle.cache;
	await bundle.write({ file, format: "es", inlineDynamicImports: true });
	return file;
}

describe.each([
	["esbuild", withEsbuild],
	["rollup", withRollup],
])("a consumer bundled with %s", (_name, bundle) => {
	it("still has the executor installed", async () => {
		const { stdout } = await execa(process.execPath, [await bundle("main")]);
		expect(stdout).toBe("sandbox");
	});

	it("has none without the import, so the check can fail", async () => {
		const { stdout } = await execa(process.execPath, [await bundle("control")]);
		expect(stdout).toBe("no executor");
	});
});
