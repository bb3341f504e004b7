import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const resolveModelSource = fileURLToPath(new URL("../../src/model/resolve-model.ts", import.meta.url));
const FAKE_PROVIDER = 'export const anthropic = (modelId) => ({ specificationVersion: "v4", provider: "fake", modelId, doStream() {} });\n';
const PROGRAM = `
import { resolveModel } from "@robot-lab/core";
try { console.log((await resolveModel("anthropic/opus/4")).modelId); } catch (error) { console.log(error.name + ": " + error.message); }
`;

let root: string;
let compiled: string;

/** Projects outside the workspace, laid out as npm and pnpm do, with core's resolver in them and a provider of the user's own or none. */
beforeAll(async () => {
	root = await realpath(await mkdtemp(join(tmpdir(), "robot-lab-layouts-")));
	compiled = join(root, "compiled");
	await build({
		configFile: false,
		logLevel: "error",
		build: {
			ssr: resolveModelSource,
			outDir: compiled,
			minify: false,
			target: "node22",
			rolldownOptions: { output: { entryFileNames: "index.js" } },
		},
		ssr: { noExternal: true },
	});
});

afterAll(() => rm(root, { recursive: true, force: true }));

async function writePackage(directory: string, name: string, source: string): Promise<void> {
	await mkdir(directory, { recursive: true });
	await writeFile(join(directory, "package.json"), JSON.stringify({ name, version: "1.0.0", type: "module", exports: "./index.js" }));
	await writeFile(join(directory, "index.js"), source);
}

async function installCore(directory: string): Promise<void> {
	await mkdir(directory, { recursive: true });
	await writeFile(
		join(directory, "package.json"),
		JSON.stringify({ name: "@robot-lab/core", version: "1.0.0", type: "module", exports: "./index.js" }),
	);
	await copyFile(join(compiled, "index.js"), join(directory, "index.js"));
}

async function link(target: string, path: string): Promise<void> {
	await mkdir(dirname(path), { recursive: true });
	await symlink(target, path);
}

async function run(project: string): Promise<string> {
	await writeFile(join(project, "main.mjs"), PROGRAM);
	const { stdout } = await promisify(execFile)(process.execPath, ["main.mjs"], { cwd: project });
	return stdout.trim();
}

describe("resolveModel() in a user's project", () => {
	it("finds the provider beside core, as npm installs both", async () => {
		const project = join(root, "npm");
		await installCore(join(project, "node_modules/@robot-lab/core"));
		await writePackage(join(project, "node_modules/@ai-sdk/anthropic"), "@ai-sdk/anthropic", FAKE_PROVIDER);
		expect(await run(project)).toBe("opus/4");
	});

	it("finds the provider that a strict pnpm layout links to core as its peer", async () => {
		const project = join(root, "pnpm");
		const store = join(project, "node_modules/.pnpm");
		await installCore(join(store, "@robot-lab+core@1/node_modules/@robot-lab/core"));
		await writePackage(join(store, "@ai-sdk+anthropic@1/node_modules/@ai-sdk/anthropic"), "@ai-sdk/anthropic", FAKE_PROVIDER);
		await link(
			join(store, "@ai-sdk+anthropic@1/node_modules/@ai-sdk/anthropic"),
			join(store, "@robot-lab+core@1/node_modules/@ai-sdk/anthropic"),
		);
		await link(join(store, "@robot-lab+core@1/node_modules/@robot-lab/core"), join(project, "node_modules/@robot-lab/core"));
		expect(await run(project)).toBe("opus/4");
	});

	it("names the package and the command where none is installed", async () => {
		const project = join(root, "none");
		await installCore(join(project, "node_modules/@robot-lab/core"));
		expect(await run(project)).toBe(
			'DependencyError: The model "anthropic/opus/4" needs the package @ai-sdk/anthropic, which is not installed. Install it: npm install @ai-sdk/anthropic',
		);
	});
});
