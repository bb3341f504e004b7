import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const example = fileURLToPath(new URL("../../dist/networks/introspection.js", import.meta.url));

it("the example of a network's drawings draws it before, while and after it runs", () => {
	const { stdout, stderr, status } = spawnSync(process.execPath, [example], { encoding: "utf8" });
	expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
	expect(stdout).toContain("Phase 1: classifier\nPhase 2: answer\nPhase 3: tone, facts\nWhen activated: billing, technical\n");
	expect(stdout).toContain('  subgraph g0["checks"]\n    t4["tone"]\n    t5["facts"]\n  end\n');
	expect(stdout).toContain('digraph "support" {');
	expect(stdout).toContain('[{"name":"checks","tasks":["tone","facts"]}]');
	expect(stdout).toContain("  billing [accountant], when activated: done, n ms\n  technical [engineer], when activated: skipped\n");
	expect(stdout).toMatch(/Refused: chicken > egg > chicken\n$/);
});
