import { join } from "node:path";
import { expect, it } from "vitest";
import { cliInThread } from "../run-cli.js";
import { temporaryNetwork } from "../temporary-network.js";

const YAML = `
name: lab
robots:
  r: { template: greet, model: anthropic/claude-x }
tasks:
  plan: { robot: r, next: [{ when: more, activate: extra }] }
  parts: { depends_on: [plan], tasks: { front: { robot: r }, back: { robot: r } } }
  extra: { robot: r, depends_on: optional }
  test: { robot: r, depends_on: [parts, extra] }
`;
const FILES = { "prompts/greet.md": "You are kind." };

it.each([
	[
		[],
		/^lab \(5 tasks\)\n {2}plan \[r\]\n {2}front \[r\], after plan\n[\s\S]* {2}extra \[r\], when activated by plan\n[\s\S]* {2}group parts: front, back\n$/,
	],
	[["--format", "mermaid"], /^flowchart TD\n[\s\S]*subgraph g0\["parts"\][\s\S]* {2}t0 --> t1\n/],
	[["--format", "dot"], /^digraph "lab" \{\n[\s\S]*\}\n$/],
	[["--format", "plan"], /^Execution plan of lab: .*\nPhase 1: plan\nPhase 2: front, back\nPhase 3: test\nWhen activated: extra\n$/],
])("network show %j draws the network of a file, without a key and with nothing run", (args, drawn) => {
	const cwd = temporaryNetwork(YAML, FILES);
	const { code, stdout, stderr } = cliInThread(["network", "show", "lab.yaml", ...args], { cwd });
	expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
	expect(stdout).toMatch(drawn);
});

it("network show --format json prints what the network is made of, as one document", () => {
	const { code, stdout } = cliInThread(["network", "show", "lab.yaml", "--format", "json"], { cwd: temporaryNetwork(YAML, FILES) });
	expect(code).toBe(0);
	expect(JSON.parse(stdout)).toMatchObject({ name: "lab", groups: [{ name: "parts", tasks: ["front", "back"] }] });
});

it("network show looks for templates where --templates says", () => {
	const cwd = temporaryNetwork(YAML, { "elsewhere/greet.md": "You are kind." });
	const missing = cliInThread(["network", "show", "lab.yaml"], { cwd });
	expect({ code: missing.code, stdout: missing.stdout }).toEqual({ code: 2, stdout: "" });
	expect(missing.stderr).toContain(`lab.yaml, line 4: robots.r.template: There is no template "greet" in ${join(cwd, "prompts")}`);
	expect(missing.stderr).toContain("--templates DIR");
	expect(cliInThread(["network", "show", "lab.yaml", "--templates", "elsewhere"], { cwd }).code).toBe(0);
});

it("network show finds the templates that lie beside the file from any directory, unless another folder is chosen", () => {
	const cwd = temporaryNetwork("", { "nets/lab.yaml": YAML, "nets/prompts/greet.md": "You are kind.", "prompts/other.md": "x" });
	expect(cliInThread(["network", "show", "nets/lab.yaml"], { cwd }).code).toBe(0);
	expect(cliInThread(["network", "show", join(cwd, "nets/lab.yaml")], { cwd: "/" }).code).toBe(0);
	expect(cliInThread(["network", "show", "nets/lab.yaml", "--templates", "prompts"], { cwd }).stderr).toContain(
		`in ${join(cwd, "prompts")}`,
	);
	const configured = cliInThread(["network", "show", "nets/lab.yaml"], { cwd, env: { ROBOT_LAB_TEMPLATE_PATH: "prompts" } });
	expect(configured.stderr).toContain(`in ${join(cwd, "prompts")}`);
});

it("network show says which folder had no such skill, and how to name another", () => {
	const cwd = temporaryNetwork("name: lab\nrobots: { r: { skills: [nap] } }\ntasks: { a: { robot: r } }");
	const { code, stderr } = cliInThread(["network", "show", "lab.yaml"], { cwd });
	expect(code).toBe(2);
	expect(stderr).toContain('robots.r.skills names "nap", which is no skill in /nonexistent/.prompts/skills. There is none.');
	expect(stderr).toContain("--skills DIR");
});

it("network show spells out what a file would make the terminal do", () => {
	const robot = '"\\e]0;owned\\a\\u202e"';
	const cwd = temporaryNetwork(`name: lab\nrobots: { ${robot}: {} }\ntasks: { a: { robot: ${robot} } }`);
	for (const format of ["tree", "mermaid", "dot", "plan", "json"]) {
		const { code, stdout } = cliInThread(["network", "show", "lab.yaml", "--format", format], { cwd });
		expect(code).toBe(0);
		// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
		expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
	}
	for (const names of [
		'name: "\\e[2J"\nrobots: { r: {} }\ntasks: { a: { robot: r } }',
		'name: lab\nrobots: { r: {} }\ntasks: { "a\\u202e": { robot: r } }',
	]) {
		const { code, stderr } = cliInThread(["network", "show", "lab.yaml"], { cwd: temporaryNetwork(names) });
		expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("what nobody sees") });
		// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
		expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
	}
});
