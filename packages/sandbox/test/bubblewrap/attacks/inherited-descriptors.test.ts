import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { put } from "../../support/workshop.js";
import { arena } from "../arena.js";

const built = (path: string): string => JSON.stringify(fileURLToPath(new URL(`../../../../${path}/dist/index.js`, import.meta.url)));

describe.skipIf(noBubblewrap !== undefined)(
	`a directory that the host's own parent left open (${noBubblewrap ?? "bubblewrap works here"})`,
	() => {
		it("is no way out, where a script without confinement reads through it", () => {
			const { directory, outside, skillDir } = arena();
			put(join(skillDir, "attack"), "cat /proc/self/fd/20/file; ls -l /proc/self/fd | wc -l\n");
			const host = put(
				join(directory, "host.mjs"),
				`import { Capabilities, configure, ScriptTool, unconfinedExecutor } from ${built("core")};
import ${built("sandbox")};
configure({ sandbox: { enabled: true, backend: "bubblewrap" } });
const options = { capabilities: new Capabilities(), skillDir: ${JSON.stringify(skillDir)} };
const command = ["bash", ${JSON.stringify(join(skillDir, "attack"))}];
console.log((await unconfinedExecutor.run(command, options)).output, "--", (await ScriptTool.run(command, options)).output);`,
			);
			const leaked = openSync(outside, "r");
			try {
				const stdio = ["ignore", "pipe", "inherit", ...Array.from({ length: 17 }, () => "ignore" as const), leaked] as const;
				const [unconfined, confined] = spawnSync(process.execPath, [host], { stdio: [...stdio], encoding: "utf8" }).stdout.split("--");
				expect(unconfined).toContain("untouched");
				expect(confined).not.toContain("untouched");
				expect(confined).toMatch(/Not a directory/);
			} finally {
				closeSync(leaked);
			}
		});
	},
);
