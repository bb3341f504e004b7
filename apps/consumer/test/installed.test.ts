import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXPORTED } from "./exported-names.js";
import { installed, outsideFolder, runFile, tarball } from "./packed.js";

const skill = `---
name: greeter
description: Greets somebody by name.
fs_read: ["."]
timeout: 5
---
Call hello with a name.
`;

const script = `#!/usr/bin/env bash
# Greets the name it is given.
echo "hello $1, HOST_TOKEN=\${HOST_TOKEN:-unset}"
`;

/** A consumer's program: loads the skill and runs its one tool; \`extra\` goes before. */
const program = (extra: string): string => `
${extra}
import { AgentSkill } from "@robot-lab/core";
const skill = await AgentSkill.load("./greeter/SKILL.md");
const [tool] = await skill.scriptTools();
console.log(JSON.stringify({ name: tool.name, text: await tool.execute({ args: "Ada" }, {}) }));
`;

const enabled = `
import "@robot-lab/sandbox";
import { configure } from "@robot-lab/core";
configure({ sandbox: { enabled: true } });
`;

let folder: Awaited<ReturnType<typeof outsideFolder>>;

async function writeSkill(): Promise<void> {
	await mkdir(join(folder.path, "greeter/scripts"), { recursive: true });
	await writeFile(join(folder.path, "greeter/SKILL.md"), skill);
	await writeFile(join(folder.path, "greeter/scripts/hello.sh"), script);
	await chmod(join(folder.path, "greeter/scripts/hello.sh"), 0o755);
}

/** A worker with a robot and a member of a bus. */
const worker = `
import { parentPort } from "node:worker_threads";
import { MessageBus, Robot } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import { serveTasks, threadTransport } from "@robot-lab/core/threads";
serveTasks({ robots: [new Robot({ name: "writer", model: new ScriptedModel("A draft.") })] });
const critic = new MessageBus({ transport: threadTransport(parentPort) }).join("critic");
critic.respondToTasks(({ content }) => content + " is too short");
await critic.sendMessage({ to: "editor", content: "here" });
`;

const threads = `
import { Worker } from "node:worker_threads";
import { InProcessTransport, MessageBus, Network } from "@robot-lab/core";
import { serveBus, ThreadTaskRunner } from "@robot-lab/core/threads";
const worker = new Worker(new URL("worker.mjs", import.meta.url));
const runner = new ThreadTaskRunner({ worker });
const network = new Network({ name: "press", runner }).task("draft", runner.robot("writer"));
const { lastTextContent: text } = await network.run({ message: "Write about tea." });
const transport = new InProcessTransport();
const editor = new MessageBus({ transport }).join("editor");
const greeted = new Promise((resolve) => editor.onMessage(({ content }) => resolve(content)));
serveBus(transport, worker);
const greeting = await greeted;
const sent = await editor.sendMessage({ to: "critic", content: text });
const { content: verdict } = await sent.reply();
console.log(JSON.stringify({ text, greeting, verdict }));
await editor.bus.close();
await worker.terminate();
`;

beforeAll(async () => {
	process.env.HOST_TOKEN = "from-the-host";
	folder = await outsideFolder();
	await installed(folder.path, [tarball("@robot-lab/core")]);
	await writeSkill();
}, 180_000);

afterAll(async () => {
	delete process.env.HOST_TOKEN;
	await folder[Symbol.asyncDispose]();
});

describe("the packed packages in a project outside the workspace", () => {
	it("core alone runs a skill's script unconfined", async () => {
		const { stdout, stderr } = await runFile(folder.path, "alone.mjs", program(""));
		expect(JSON.parse(stdout)).toEqual({ name: "hello", text: "hello Ada, HOST_TOKEN=from-the-host\n" });
		expect(stderr).toBe("");
	});

	it("core without a model says how to give a robot one", async () => {
		const { stdout } = await runFile(
			folder.path,
			"errors.mjs",
			`import { Robot, ConfigurationError } from "@robot-lab/core";
			 try { await new Robot({ name: "r" }).run("hi"); } catch (error) { console.log(ConfigurationError.isInstance(error), error.message); }`,
		);
		expect(stdout).toMatch(/^true .*model/);
	});

	it("core runs a task in a worker thread, with a bus across the two", async () => {
		await writeFile(join(folder.path, "worker.mjs"), worker);
		const { stdout, stderr } = await runFile(folder.path, "threads.mjs", threads);
		expect([JSON.parse(stdout), stderr]).toEqual([{ text: "A draft.", greeting: "here", verdict: "A draft. is too short" }, ""]);
	});

	describe("core", () => {
		let exported: Readonly<Record<string, readonly string[]>>;

		beforeAll(async () => {
			const source = `
				const exported = {};
				for (const entry of ${JSON.stringify(Object.keys(EXPORTED))}) exported[entry] = Object.keys(await import("@robot-lab/core" + entry.slice(1)));
				console.log(JSON.stringify(exported));`;
			exported = JSON.parse((await runFile(folder.path, "names.mjs", source)).stdout);
		});

		it.each(Object.entries(EXPORTED))("exports from %s what stands here, and nothing else", (entry, names) => {
			expect(exported[entry]).toEqual(names);
		});
	});

	describe("with sandbox added", () => {
		beforeAll(() => installed(folder.path, [tarball("@robot-lab/core"), tarball("@robot-lab/sandbox")]), 180_000);

		it("imported but not enabled runs as before and warns once", async () => {
			const twice = `${program('import "@robot-lab/sandbox";')}\nawait tool.execute({ args: "Ada" }, {});`;
			const { stdout, stderr } = await runFile(folder.path, "imported.mjs", twice);
			expect(JSON.parse(stdout).text).toBe("hello Ada, HOST_TOKEN=from-the-host\n");
			expect(stderr.match(/sandbox\.enabled/g)).toHaveLength(1);
		});

		it.skipIf(process.platform === "darwin")(
			"enabled where nothing can confine runs the script, says so once, and the result says none",
			async () => {
				const source = `${enabled}
			import { AgentSkill, ScriptTool } from "@robot-lab/core";
			const skill = await AgentSkill.load("./greeter/SKILL.md");
			const [path] = await skill.scripts();
			const run = () => ScriptTool.run(["bash", path, "Ada"], { capabilities: skill.capabilities, skillDir: skill.path });
			await run();
			const { confinement, output } = await run();
			console.log(JSON.stringify({ confinement, output }));`;
				const { stdout, stderr } = await runFile(folder.path, "enabled.mjs", source);
				expect(JSON.parse(stdout)).toMatchObject({ confinement: "none", output: expect.stringContaining("hello Ada") });
				expect(stderr.match(/Warning/g)).toHaveLength(1);
				expect(stderr).toMatch(/confin/);
			},
		);

		it.skipIf(process.platform !== "darwin")("enabled on macOS confines the script with seatbelt", async () => {
			const source = `${enabled}
			import { AgentSkill, ScriptTool } from "@robot-lab/core";
			const skill = await AgentSkill.load("./greeter/SKILL.md");
			const [path] = await skill.scripts();
			const { confinement, output } = await ScriptTool.run(["bash", path, "Ada"], { capabilities: skill.capabilities, skillDir: skill.path });
			console.log(JSON.stringify({ confinement, output }));`;
			const { stdout } = await runFile(folder.path, "enabled.mjs", source);
			expect(JSON.parse(stdout)).toEqual({ confinement: "seatbelt", output: "hello Ada, HOST_TOKEN=unset\n" });
		});
	});
});
