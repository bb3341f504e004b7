import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Places } from "./places.js";

/** Runs a program that imports the built package, in the project, with nothing in the environment but what is given. */
function run(places: Places, variables: Readonly<Record<string, string>> = {}) {
	const program = join(import.meta.dirname, "fixtures/asks-twice.mjs");
	const { stdout, stderr, status } = spawnSync(process.execPath, [program, places.projectFile], {
		...{ cwd: places.project, encoding: "utf8" },
		env: { HOME: places.home, PATH: process.env.PATH ?? "", ...variables },
	});
	return { stderr, status, answer: stdout === "" ? undefined : JSON.parse(stdout) };
}

it("the first config() reads the files, importing the package none; a change counts at reloadConfig()", () => {
	const places = new Places();
	places.write(places.projectFile, "\nmodel: first/model");
	const { answer, stderr } = run(places);
	expect(stderr).toBe("");
	expect(answer).toEqual({
		...{ atImport: 0, opened: 6, first: "first/model", second: "first/model", again: "second/model" },
		from: { layer: "project", path: places.projectFile, line: 1 },
	});
});

it("in the environment test the user's files are not even opened", () => {
	const places = new Places();
	places.write(places.userFile, "model: [");
	places.write(places.projectFile, "model: first/model");
	expect(run(places, { NODE_ENV: "test" }).answer).toMatchObject({ opened: 2, first: "first/model" });
	expect(run(places)).toMatchObject({
		status: 1,
		answer: undefined,
		stderr: expect.stringContaining("config.yml, line 1: is no valid YAML"),
	});
});

it("what is ignored is a process warning with a code, once", () => {
	const places = new Places();
	places.write(places.userFile, "modle: a/b");
	places.write(places.projectFile, "sandbox: { network: true }");
	const { stderr } = run(places, { ROBOT_LAB_SANDBOX__NETWRK: "true" });
	expect(stderr.match(/\[ROBOT_LAB_CONFIGURATION_IGNORED\]/g)).toHaveLength(3);
	for (const said of ['line 1 "modle"', "sandbox.network (line 1)", "ROBOT_LAB_SANDBOX__NETWRK"]) expect(stderr).toContain(said);
});
