import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { isInstalled, root } from "../run-script.js";

const folder = fileURLToPath(new URL("../../dist/stories/", import.meta.url));
const stories = readdirSync(folder).filter((name) => name.endsWith(".js") && name !== "example-files.js");
const needsPython = (story: string): boolean => story === "run-a-script-yourself.js";

it("there are four stories", () => {
	expect(stories).toHaveLength(4);
});

for (const story of stories) {
	// python3 is no part of the development set-up; where it is missing its story is reported as skipped.
	it.skipIf(needsPython(story) && !isInstalled("python3"))(`the story ${story} holds`, () => {
		const run = spawnSync(process.execPath, [`${folder}${story}`], { cwd: root, encoding: "utf8" });
		expect(run).toMatchObject({ status: 0, stderr: "" });
		expect(run.stdout).not.toBe("");
	});
}
