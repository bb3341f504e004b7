import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { put } from "./support/workshop.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const examples = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/^```js\n(.*?)^```/gms)].map((match) => match[1] ?? "");

/** Inside the package, so that it finds itself and core by their names, as an installed one does. */
function run(code: string): { readonly stdout: string; readonly status: number | null; readonly stderr: string } {
	mkdirSync(join(root, ".reports"), { recursive: true });
	const directory = mkdtempSync(join(root, ".reports/readme-"));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	return spawnSync(process.execPath, [put(join(directory, "example.mjs"), code)], { cwd: directory, encoding: "utf8" });
}

describe("the README", () => {
	it("shows a run that says how it was confined", () => {
		const { stdout, status } = run(examples[0] ?? "");
		expect(status).toBe(0);
		expect(stdout).toMatch(process.platform === "darwin" ? /^seatbelt / : /^none /);
		expect(stdout).toContain("installed: true");
	});

	it("shows decisions of the evaluator as they are", () => {
		const lines = (examples[1] ?? "").split("\n");
		const claims = lines.flatMap((line) => /^(decide\(.*\)); \/\/ (.*)$/.exec(line) ?? []).filter((_, index) => index % 3 !== 0);
		expect(claims.length).toBe(4);
		const asserts = [0, 2].map((at) => `assert.deepEqual(${claims[at]}, ${claims[at + 1]});`);
		const { status, stderr } = run(`import assert from "node:assert/strict";\n${examples[1]}\n${asserts.join("\n")}`);
		expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
	});

	it("shows answers of explain as they are", () => {
		const { stdout, status, stderr } = run(examples[2] ?? "");
		expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
		const [refused, answers] = [...(examples[2] ?? "").matchAll(/^console\.log\(.*\); \/\/ (\[.*\])$/gm)].map(
			(match) => match[1] ?? "missing",
		);
		expect(stdout.replace(/\s+/g, " ")).toContain(`${refused} ${answers} {`);
		for (const shown of [`rule: '(allow file-read* (subpath "/data"))'`, "why: 'granted by fs_read, for reading only'", "path: '/data/x'"])
			expect(stdout).toContain(shown);
	});
});
