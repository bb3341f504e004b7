import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { DependencyError } from "../../src/errors/dependency-error.js";
import { loadEmbedder, mainProgram } from "../../src/matching/load-embedder.js";

const GOOD = 'export const embedder = () => ({ id: "good-v1", embed: async (texts) => texts.map(() => [1]) });';

let root: string;
let main: string;

async function put(path: string, text: string): Promise<string> {
	const file = join(root, path);
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, text);
	return file;
}

async function putPackage(
	path: string,
	source: string,
	exported: object = { ".": { types: "./x.d.ts", default: "./index.js" } },
): Promise<void> {
	await put(`${path}/package.json`, JSON.stringify({ type: "module", exports: exported }));
	await put(`${path}/index.js`, source);
}

beforeAll(async () => {
	root = await realpath(await mkdtemp(join(tmpdir(), "load-embedder-")));
	main = await put("app/bin/main.js", "");
	await putPackage("app/node_modules/@acme/good", GOOD);
	await putPackage("app/node_modules/@acme/good-later", GOOD.replace("() =>", "async () =>"));
	await putPackage("app/node_modules/nothing", "export const other = 1;");
	await putPackage("app/node_modules/junk", "export const embedder = () => 7;");
	await putPackage("app/node_modules/fails", 'export const embedder = () => { throw new Error("no weights\\nhere"); };');
	await putPackage("app/node_modules/broken", 'import "is-not-there";');
	await putPackage("project/node_modules/hostile", GOOD);
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe("loadEmbedder()", () => {
	it("gives what the package beside the main program exports, also by a link to that program", async () => {
		expect((await loadEmbedder("@acme/good", { main })).id).toBe("good-v1");
		expect((await loadEmbedder("@acme/good-later", { main })).id).toBe("good-v1");
		const link = join(root, "linked.js");
		await symlink(main, link);
		expect((await loadEmbedder("@acme/good", { main: link })).id).toBe("good-v1");
	});

	it("gives what a module at an absolute path exports", async () => {
		expect((await loadEmbedder(await put("own.mjs", GOOD), { main: undefined })).id).toBe("good-v1");
	});

	it("finds nothing of the working directory", async () => {
		const before = process.cwd();
		process.chdir(join(root, "project"));
		try {
			expect((await loadEmbedder("hostile", { main: join(root, "project/main.js") })).id).toBe("good-v1"); // the control
			for (const program of [main, undefined])
				await expect(loadEmbedder("hostile", { main: program })).rejects.toThrow("npm install hostile");
		} finally {
			process.chdir(before);
		}
	});

	it("names the package to install", async () => {
		const error: unknown = await loadEmbedder("@acme/absent", { main }).catch((thrown) => thrown);
		expect(error).toBeInstanceOf(DependencyError);
		expect(error).toMatchObject({ dependency: "@acme/absent", message: expect.stringContaining("npm install @acme/absent") });
	});

	it.each<[unknown, string]>([
		["nothing", "exports no function embedder()"],
		["junk", "must have an id and an embed function, got 7"],
		["fails", "its embedder() failed: no weights"],
		["broken", "cannot be loaded"],
		["./own.mjs", "neither the name of a package nor an absolute path"],
		["../app/node_modules/nothing", "neither the name"],
		["@acme/../nothing", "neither the name"],
		["node_modules/..", "neither the name"],
		["data:text/javascript,export const embedder = 1", "neither the name"],
		["file:///own.mjs", "neither the name"],
		["node:fs", "neither the name"],
		["", "neither the name"],
		[7, "neither the name"],
		["fs", "npm install fs"],
	])("refuses %j", async (name, problem) => {
		const error: unknown = await loadEmbedder(name as string, { main }).catch((thrown) => thrown);
		expect(error).toBeInstanceOf(ConfigurationError);
		expect((error as Error).message).toContain(problem);
		expect((error as Error).message).not.toContain("\n");
	});
});

describe("mainProgram()", () => {
	it("is the file Node was started with, and none where code was given instead", () => {
		expect(mainProgram("/app/main.js", ["--enable-source-maps", "--expose-gc"])).toBe("/app/main.js");
		for (const option of ["-e", "-p", "-pe", "--eval", "--eval=1", "--print", "--print=1"])
			expect(mainProgram("/project/x.js", [option])).toBeUndefined();
		expect(mainProgram("x.js", [])).toBeUndefined();
		expect(mainProgram(undefined, [])).toBeUndefined();
	});
});
