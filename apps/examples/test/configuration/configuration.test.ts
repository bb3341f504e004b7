import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** Runs it as the README says, in the top directory of the repository; with a directory for temporary files of its own. */
function hierarchy(env: NodeJS.ProcessEnv, home: Readonly<Record<string, string>> = {}) {
	const directory = mkdtempSync(join(tmpdir(), "configuration-"));
	onTestFinished(() => rmSync(directory, { recursive: true }));
	const [HOME, TMPDIR] = [join(directory, "home"), join(directory, "tmp")];
	for (const path of [join(HOME, ".config/robot_lab"), TMPDIR]) mkdirSync(path, { recursive: true });
	for (const [name, text] of Object.entries(home)) writeFileSync(join(HOME, ".config/robot_lab", name), text);
	const run = spawnSync(process.execPath, [program], {
		cwd: root,
		encoding: "utf8",
		env: { PATH: process.env.PATH, HOME, TMPDIR, ...env },
	});
	return { ...run, left: readdirSync(TMPDIR) };
}

const program = "apps/examples/dist/configuration/hierarchy.js";
const printed = readFileSync(new URL("printed/hierarchy.txt", import.meta.url), "utf8");

it("README.md says how it is run", () => {
	expect(readFileSync(`${root}/apps/examples/README.md`, "utf8")).toContain(`| \`node ${program}\` |`);
});

it("the hierarchy prints exactly what it promises, warns of what the project may not, and leaves nothing behind", () => {
	const { status, stdout, stderr, left } = hierarchy({});
	expect({ status, stdout, left }).toEqual({ status: 0, stdout: printed, left: [] });
	const warnings = stderr.split("\n").filter((line) => line.includes("Warning: "));
	expect(warnings).toEqual([
		expect.stringMatching(/ROBOT_LAB_CONFIGURATION_IGNORED.* sandbox\.network \(line 2\), mcp_servers \(line 4\)\./),
	]);
});

it("the hierarchy heeds no file and no variable of whoever runs it", () => {
	const variables = { NODE_ENV: "test", ROBOT_LAB_MODEL: "openai/gpt-5", ROBOT_LAB_ENV: "staging", ROBOT_LAB_SANDBOX__TIMEOUT: "7" };
	expect(hierarchy(variables, { "config.yml": "model: ollama/llama3\nmcp: none\n" }).stdout).toBe(printed);
});
