import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { configure, loadNetwork, reloadConfig } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import { expect, it, onTestFinished } from "vitest";

const examples = fileURLToPath(new URL("../..", import.meta.url));
const command = fileURLToPath(new URL("../../../cli/dist/main.js", import.meta.url));

/** Runs the command where the examples are, without a key. */
function robotLab(...args: readonly string[]): { readonly status: number | null; readonly stdout: string } {
	const { PATH = "", HOME = "" } = process.env;
	return spawnSync(process.execPath, [command, ...args], { cwd: examples, encoding: "utf8", env: { PATH, HOME } });
}

it("the command draws every network file of the examples", () => {
	const files = readdirSync(`${examples}/networks`);
	expect(files).toEqual(["access-log.yaml", "support.yaml"]);
	for (const file of files) expect(robotLab("network", "show", `networks/${file}`, "--skills", "skills")).toMatchObject({ status: 0 });
});

it("the network of the access log runs the scripts of two skills and puts together what they printed", () => {
	const { status, stdout } = robotLab("network", "run", "networks/access-log.yaml", "The log is data/access.log.", "--skills", "skills");
	expect(status).toBe(0);
	expect(stdout).toMatch(/^Task {6}numbers\nCall {6}log-report__summarize args=\["data\/access\.log"\]\nConfined .*\nScript {4}ran for /m);
	expect(stdout).toMatch(
		/^Task {6}anomalies\nCall {6}log-anomalies__detect args=\["data\/access\.log"\]\nConfined .*\nScript {4}ran for /m,
	);
	expect(stdout).toMatch(
		/^Result of numbers\n[^\n]*\n\n4,044 requests[\s\S]*^Result of anomalies\n[\s\S]*^Clients that probe[\s\S]*^Answer\n/m,
	);
	expect(stdout).toMatch(/: 2 tool calls\.\n$/);
});

it("the support network answers by the department that its first robot names, and to spam not at all", async () => {
	configure({ templatePath: `${examples}/prompts` });
	onTestFinished(() => void reloadConfig());
	const run = async (...answers: readonly string[]) => {
		const model = new ScriptedModel(answers);
		const network = await loadNetwork(`${examples}/networks/support.yaml`, { model });
		const result = await network.run({ message: "My invoice is wrong.", context: { language: "English" } });
		return { result, asked: JSON.stringify(model.calls.at(-1)?.prompt) };
	};
	const { result, asked } = await run("Billing.", "You were charged twice.", "Dear customer …");
	expect(result).toMatchObject({ status: "done", activated: ["billing"], lastTextContent: "Dear customer …" });
	expect(asked).toContain("The accountant says: You were charged twice.");
	expect(asked).not.toContain("The engineer says");
	expect((await run("spam")).result).toMatchObject({ status: "halted", lastTextContent: "We do not answer this." });
});
