import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { put } from "../../support/workshop.js";
import { arena, endAll, processesWith } from "../arena.js";

const built = (path: string): string => JSON.stringify(fileURLToPath(new URL(`../../../../${path}/dist/index.js`, import.meta.url)));

/** Kills a host in the middle of a run. What it answers looks for what the script started. */
async function killHostOf(confined: boolean): Promise<() => readonly number[]> {
	const { directory, skillDir } = arena();
	const marker = `orphan-${process.pid}-${confined}`;
	put(join(skillDir, "run.sh"), `setsid bash -c 'sleep 60; true' ${marker} & sleep 60; true\n`);
	const host = put(
		join(directory, "host.mjs"),
		`import { Capabilities, configure, ScriptTool } from ${built("core")};
import ${built("sandbox")};
configure({ sandbox: { enabled: ${confined}, backend: "bubblewrap" } });
await ScriptTool.run(["bash", ${JSON.stringify(join(skillDir, "run.sh"))}, ${JSON.stringify(marker)}], { capabilities: new Capabilities(), skillDir: ${JSON.stringify(skillDir)} });`,
	);
	const child = spawn(process.execPath, [host], { stdio: "ignore" });
	onTestFinished(() => endAll(processesWith(marker)));
	await expect.poll(() => processesWith(`sleep 60; true\0${marker}`).length, { timeout: 15_000 }).toBeGreaterThan(0);
	child.kill("SIGKILL");
	await new Promise((resolve) => child.once("exit", resolve));
	return () => processesWith(marker);
}

describe.skipIf(noBubblewrap !== undefined)(`outliving a host that is killed (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("fails, where an unconfined script goes on", async () => {
		const unconfined = await killHostOf(false);
		const confined = await killHostOf(true);
		await expect.poll(confined, { timeout: 15_000 }).toEqual([]);
		// The control's host died before the other was even started.
		expect(unconfined().length).toBeGreaterThan(0);
	});
});
