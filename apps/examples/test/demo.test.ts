import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const demo = fileURLToPath(new URL("../demo.mjs", import.meta.url));

it("the demonstration shows the whole path and ends with 0, from any directory and without a key", () => {
	const { PATH = "", HOME = "" } = process.env;
	const { status, stdout } = spawnSync(process.execPath, [demo], { cwd: "/", encoding: "utf8", env: { PATH, HOME } });
	expect(stdout).toMatch(/^Model +offline/m);
	expect(stdout).toMatch(/^Skills +log-report +score 0\.\d\d$/m);
	expect(stdout).toMatch(/^ +asked +ceiling +given$/m);
	expect(stdout).toContain('log-report__summarize args=["apps/examples/data/access.log"]');
	expect(stdout).toMatch(/^Confined +\S/m);
	expect(stdout).toMatch(/\/api\/checkout +148 of 282/);
	expect(status).toBe(0);
});
