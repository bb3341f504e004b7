import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const { PATH = "", HOME = "" } = process.env;

it("the tour of memory prints exactly what it promises", () => {
	const program = "apps/examples/dist/memory/tour.js";
	expect(readFileSync(`${root}/apps/examples/README.md`, "utf8")).toContain(`| \`node ${program}\` |`);
	// as the README says it: in the top directory of the repository
	const run = spawnSync(process.execPath, [program], { cwd: root, encoding: "utf8", env: { PATH, HOME } });
	expect(run).toMatchObject({ status: 0, stderr: "" });
	expect(run.stdout).toBe(readFileSync(new URL("printed/tour.txt", import.meta.url), "utf8"));
});
