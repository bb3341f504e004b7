import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { put, workshop } from "./support/workshop.js";

/** In processes of their own, on the built package: a registration and a warning happen once in a process. */
const built = (name: string): string => JSON.stringify(fileURLToPath(new URL(`../dist/${name}`, import.meta.url)));
const core = JSON.stringify(fileURLToPath(new URL("../../core/dist/index.js", import.meta.url)));

function run(code: string): { readonly stdout: string; readonly stderr: string; readonly status: number | null } {
	const directory = workshop();
	put(join(directory, "s.sh"), "#!/bin/bash\necho ran\n", 0o755);
	const prelude = `import { Capabilities, configure, ScriptTool } from ${core};
const go = () => ScriptTool.run(["bash", "s.sh"], { capabilities: new Capabilities(), skillDir: process.cwd() });
`;
	const file = put(join(directory, "main.mjs"), prelude + code);
	return spawnSync(process.execPath, [file], { cwd: directory, encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } });
}
const count = (text: string, part: string): number => text.split(part).length - 1;

describe('import "@robot-lab/sandbox"', () => {
	it("installs the executor", () => {
		const { stdout } = run(`const before = ScriptTool.executor; const { Sandbox } = await import(${built("index.js")});
console.log(before, ScriptTool.executor === Sandbox.Executor, ScriptTool.executor.name, ScriptTool.executor.specificationVersion);`);
		expect(stdout).toBe("undefined true sandbox v1\n");
	});

	it("may be imported twice, as by two copies", () => {
		const { stdout, stderr, status } =
			run(`await import(${built("index.js")}); await import(${built("index.js")} + "?copy"); await import(${built("register.js")} + "?copy");
console.log((await go()).output);`);
		expect({ stdout, status }).toEqual({ stdout: "ran\n\n", status: 0 });
		expect(count(stderr, "ROBOT_LAB_SANDBOX_NOT_ENABLED")).toBe(1);
	});

	it("warns once in a process when it is imported and not enabled", () => {
		const { stderr, stdout } = run(
			`await import(${built("index.js")}); for (let i = 0; i < 3; i++) console.log((await go()).confinement);`,
		);
		expect(stdout).toBe("none\nnone\nnone\n");
		expect(count(stderr, "imported but not enabled: set sandbox.enabled: true")).toBe(1);
	});

	it("warns of nothing while no script runs", () => {
		expect(run(`await import(${built("index.js")});`).stderr).toBe("");
	});

	it.skipIf(process.platform === "darwin")("warns once where it is enabled and nothing confines (a Mac confines)", () => {
		const { stderr, stdout } = run(`await import(${built("index.js")}); configure({ sandbox: { enabled: true } });
for (let i = 0; i < 3; i++) console.log((await go()).confinement);`);
		expect(stdout).toBe("none\nnone\nnone\n");
		expect(count(stderr, 'scripts run unconfined: sandbox.backend "auto" confines on macOS only')).toBe(1);
		expect(stderr).toContain("ROBOT_LAB_SANDBOX_UNCONFINED");
		if (process.platform === "linux") expect(stderr).toMatch(/sandbox\.backend (to )?"bubblewrap".*(works here|does not work here)/);
	});

	it("warns that it was asked to confine nothing, where it could confine or not", () => {
		const { stderr } = run(`await import(${built("index.js")}); configure({ sandbox: { enabled: true, backend: "none" } }); await go();`);
		expect(count(stderr, 'scripts run unconfined: sandbox.backend is "none". ')).toBe(1);
		expect(stderr).not.toContain("macOS");
	});

	it("refuses a limit that cannot be held where nothing confines, and warns of none", () => {
		const { stderr, stdout } =
			run(`await import(${built("index.js")}); configure({ sandbox: { enabled: true, backend: "none", limits: { outputBytes: 9 } } });
console.log((await go()).output); configure({ sandbox: { limits: { processes: 9 } } });
for (let i = 0; i < 2; i++) { const { refusal, output } = await go(); console.log(refusal.code, output); }`);
		expect(stdout).toBe("ran\n\ngrant_not_expressible \ngrant_not_expressible \n");
		expect(stderr).not.toContain("ROBOT_LAB_LIMITS_NOT_ENFORCED");
	});

	it("warns, while it is not enabled, of limits that do not hold, by name", () => {
		const { stderr, stdout } = run(
			`await import(${built("index.js")}); configure({ sandbox: { limits: { memoryMb: 9, cpuSeconds: 9 } } }); console.log((await go()).output);`,
		);
		expect(stdout).toBe("ran\n\n");
		expect(count(stderr, "ROBOT_LAB_LIMITS_NOT_ENFORCED")).toBe(1);
		expect(stderr).toContain("unconfined: memoryMb, cpuSeconds.");
	});

	it("warns of nothing for a trusted bundle", () => {
		const { stderr } = run(`await import(${built("index.js")}); configure({ sandbox: { enabled: true } });
await ScriptTool.run(["bash", "s.sh"], { capabilities: new Capabilities({ trust: "core" }), skillDir: process.cwd() });`);
		expect(stderr).toBe("");
	});

	it("does not take the place of another executor in silence", () => {
		const { stderr, status } = run(`ScriptTool.executor = { specificationVersion: "v1", name: "mine", run: async () => {} };
await import(${built("index.js")});`);
		expect(status).not.toBe(0);
		expect(stderr).toContain('"mine"');
	});
});
