import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { execa } from "execa";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installed, manifest, type PackageName, packages, repository, runFile, tarball } from "./packed.js";

const readmes = ["README.md", "packages/core/README.md", "packages/sandbox/README.md", "packages/embeddings-en/README.md"];

async function examplesOf(path: string): Promise<string[]> {
	return [...(await readFile(path, "utf8")).matchAll(/^```[jt]s\n(.*?)^```/gms)].map(([, code = ""]) => code);
}

/** What embeddings-en has beside its program: what others have made, and whose it is. */
const OF_OTHERS = [
	"LICENSE-APACHE",
	"NOTICE",
	"data/manifest.json",
	"data/multiply.wasm",
	"data/sentence-encoder.safetensors",
	"data/sentence-pieces.json",
	"data/word-vectors.safetensors",
	"data/words.txt",
	"scripts/multiply.wat",
];

const names = Object.keys(packages) as PackageName[];

async function filesOf(name: PackageName): Promise<string[]> {
	const { stdout } = await execa("tar", ["-tzf", tarball(name)]);
	return stdout.split("\n").map((file) => file.replace(/^package\//, ""));
}

async function packedManifest(name: PackageName): Promise<Record<string, Record<string, string>>> {
	const { stdout } = await execa("tar", ["-xzOf", tarball(name), "package/package.json"]);
	return JSON.parse(stdout);
}

describe.each(names)("the tarball of %s", (name) => {
	it("passes publint without a message", async () => {
		const { buffer, byteOffset, byteLength } = await readFile(tarball(name));
		const tar = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
		const { messages } = await publint({ pack: { tarball: tar }, strict: true });
		expect(messages).toEqual([]);
	});

	it("holds a licence, a README, built files and nothing of the sources or tests", async () => {
		const files = await filesOf(name);
		expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
		const others = files.filter((file) => !/^(dist\/.*\.(js|d\.ts)(\.map)?|LICENSE|README\.md|package\.json)$/.test(file));
		expect(others.sort()).toEqual(name === "@robot-lab/embeddings-en" ? OF_OTHERS : []);
	});

	it("names no version of the workspace protocol or catalogue", async () => {
		expect(JSON.stringify(await packedManifest(name))).not.toMatch(/"(workspace|catalog):/);
	});
});

describe.each(["@robot-lab/core", "@robot-lab/sandbox", "@robot-lab/embeddings-en"] as const)("the types of %s", (name) => {
	it("resolve for ES module consumers at every entry", async () => {
		const analysis = await checkPackage(createPackageFromTarballData(await readFile(tarball(name))));
		if (!analysis.types) throw new Error("the package has no types");
		// The packages are ES modules only: what a CommonJS consumer or the old resolution would see does not count.
		const relevant = analysis.problems.filter(
			(problem) => !("resolutionKind" in problem && (problem.resolutionKind === "node10" || problem.resolutionKind === "node16-cjs")),
		);
		expect(relevant).toEqual([]);
	});
});

describe("the manifests", () => {
	it("make core a peer of sandbox and sandbox unknown to core", async () => {
		const sandbox = await packedManifest("@robot-lab/sandbox");
		const core = await packedManifest("@robot-lab/core");
		const { version } = await manifest("@robot-lab/core");
		expect(sandbox.peerDependencies).toEqual({ "@robot-lab/core": `^${version}` });
		expect(sandbox.dependencies).toBeUndefined();
		expect(JSON.stringify(core)).not.toContain("@robot-lab/sandbox");
	});

	it("of embeddings-en need nothing else, run nothing at installation, and the tarball stays below 13.5 MB", async () => {
		const { dependencies, peerDependencies, optionalDependencies, scripts = {} } = await packedManifest("@robot-lab/embeddings-en");
		expect([dependencies, peerDependencies, optionalDependencies]).toEqual([undefined, undefined, undefined]);
		expect(Object.keys(scripts).filter((script) => /install|prepare/.test(script))).toEqual([]);
		expect((await stat(tarball("@robot-lab/embeddings-en"))).size).toBeLessThan(13_500_000);
	});

	it("of sandbox names every file that registers, so that no bundler drops one", async () => {
		const { sideEffects } = await manifest("@robot-lab/sandbox");
		expect(sideEffects).toEqual(["./dist/index.js", "./dist/register.js"]);
	});
});

/** What a strict consumer writes, by the name of its file: the readmes' examples among it. */
async function consumerSources(): Promise<ReadonlyMap<string, string>> {
	const sources = new Map([
		["consumer.ts", CONSUMER],
		["wrong.ts", 'import { Capabilities } from "@robot-lab/core"; export const n: number = new Capabilities();'],
	]);
	for (const [index, path] of readmes.entries()) {
		const examples = await examplesOf(join(repository, path));
		for (const [at, example] of examples.entries()) sources.set(`readme-${index}-${at}.ts`, `${example}\nexport {};`);
	}
	return sources;
}

const CONSUMER = `
	import { parentPort } from "node:worker_threads";
	import { AgentSkillCatalog, Capabilities, configure, createTool, MessageBus, Network, Robot, ScriptTool, type ScriptResult } from "@robot-lab/core";
	import { runBounded } from "@robot-lab/core/process";
	import { isAtOrBelow } from "@robot-lab/core/paths";
	import { ScriptedModel } from "@robot-lab/core/testing";
	import { serveTasks, ThreadTaskRunner, type TaskService, threadTransport } from "@robot-lab/core/threads";
	import { Sandbox } from "@robot-lab/sandbox";
	import { evaluateProfile } from "@robot-lab/sandbox/sbpl";
	import { embedder } from "@robot-lab/embeddings-en/light";
	configure({ sandbox: { enabled: true } });
	const result: Promise<ScriptResult> = ScriptTool.run(["true"], { capabilities: new Capabilities(), skillDir: "." });
	const runner = new ThreadTaskRunner({ worker: new URL("file:///worker.js") });
	const network = new Network({ name: "press", runner }).task("draft", runner.robot("writer"));
	const service: TaskService = serveTasks({ robots: [new Robot({ name: "writer", model: new ScriptedModel("A draft.") })] });
	const bus = parentPort === null ? new MessageBus() : new MessageBus({ transport: threadTransport(parentPort) });
	export { bus, network, service };
	export const vectors: Promise<readonly Float32Array[]> = embedder().embed(["tea"]);
	export { AgentSkillCatalog, createTool, evaluateProfile, isAtOrBelow, result, Robot, runBounded, Sandbox, ScriptedModel };
`;

describe("a strict TypeScript consumer", () => {
	let project: string;
	let sources: ReadonlyMap<string, string>;
	let complaints: readonly string[];

	beforeAll(async () => {
		project = await mkdtemp(join(tmpdir(), "robot-lab-types-"));
		await installed(project, [tarball("@robot-lab/core"), tarball("@robot-lab/sandbox"), tarball("@robot-lab/embeddings-en"), "zod"]);
		sources = await consumerSources();
		complaints = await compiled();
	}, 240_000);

	afterAll(() => rm(project, { recursive: true, force: true }));

	/** What the compiler says of all sources, each a module of its own, in one program: the libraries are checked once. */
	async function compiled(): Promise<readonly string[]> {
		for (const [name, source] of sources) await writeFile(join(project, name), source);
		const tsc = join(packages["@robot-lab/core"], "node_modules/.bin/tsc");
		const typeRoots = ["--typeRoots", join(packages["@robot-lab/core"], "node_modules/@types"), "--types", "node"];
		// skipLibCheck off: our declarations themselves are checked, against what a consumer really installed.
		const strictly = ["--noEmit", "--strict", "--skipLibCheck", "false", "--module", "nodenext", "--target", "es2023"];
		const { stdout } = await execa(tsc, [...strictly, ...typeRoots, "--pretty", "false", ...sources.keys()], {
			cwd: project,
			reject: false,
		});
		return stdout.split("\n").filter((line) => line !== "");
	}

	const complaintsAbout = (file: string): readonly string[] => complaints.filter((line) => line.startsWith(`${file}(`));

	it("compiles against the packages with library checks on", () => {
		expect(complaintsAbout("consumer.ts")).toEqual([]);
		const elsewhere = complaints.filter(
			(line) => !line.startsWith(" ") && ![...sources.keys()].some((file) => line.startsWith(`${file}(`)),
		);
		expect(elsewhere).toEqual([]);
	});

	it.each(readmes)("compiles every example of %s", (path) => {
		const examples = [...sources.keys()].filter((file) => file.startsWith(`readme-${readmes.indexOf(path)}-`));
		expect(examples.length).toBeGreaterThan(0);
		expect(examples.flatMap(complaintsAbout)).toEqual([]);
	});

	it("has embeddings from the installed files alone", async () => {
		const source = `
			const [whole, light] = await Promise.all([import("@robot-lab/embeddings-en"), import("@robot-lab/embeddings-en/light")]);
			const lengths = await Promise.all([whole, light].map(async ({ embedder }) => (await embedder().embed(["tea"]))[0].length));
			console.log(JSON.stringify([Object.keys(whole), Object.keys(light), lengths]));`;
		const { stdout, stderr } = await runFile(project, "embeddings.mjs", source);
		const exported = ["embedder", "embeddingModel"];
		expect([JSON.parse(stdout), stderr]).toEqual([[exported, exported, [872, 512]], ""]);
	});

	it("is told of a wrong use, so the check can fail", () => {
		expect(complaintsAbout("wrong.ts")).toEqual([expect.stringContaining("TS2322")]);
	});
});
