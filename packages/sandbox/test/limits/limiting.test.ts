import { statSync } from "node:fs";
import { join } from "node:path";
import { Capabilities, configure, reloadConfig } from "@robot-lab/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { limiting } from "../../src/limits/limiting.js";
import { noBubblewrap } from "../support/no-bubblewrap.js";
import { stage } from "./stage.js";

const { platform } = process;
const setter = platform === "linux" ? "/usr/bin/prlimit" : "/bin/sh";

describe("limiting()", () => {
	it("is nothing without limits, under every strategy and on every platform", async () => {
		for (const strategy of ["none", "seatbelt", "bubblewrap"] as const) {
			for (const on of ["linux", "darwin", "win32"] as const) {
				expect(await limiting({ limits: { outputBytes: 5 }, strategy, platform: on })).toEqual({ inside: [], outside: [] });
			}
		}
	});

	it.each(["none", "seatbelt"] as const)("comes before all else under %s", async (strategy) => {
		const { inside, outside } = await limiting({ limits: { cpuSeconds: 5 }, strategy, platform });
		expect([inside, outside[0]]).toEqual([[], setter]);
	});

	it.skipIf(noBubblewrap !== undefined)(`comes inside of bubblewrap (${noBubblewrap ?? "which works here"})`, async () => {
		const { inside, outside } = await limiting({ limits: { cpuSeconds: 5 }, strategy: "bubblewrap", platform });
		expect([inside[0], outside]).toEqual([setter, []]);
	});

	it("rejects with the reason where a limit cannot be held", async () => {
		const request = { limits: { cpuSeconds: 5 }, strategy: "none", platform: "win32" } as const;
		await expect(limiting(request)).rejects.toMatchObject({ code: "grant_not_expressible", message: expect.stringContaining("win32") });
	});
});

describe("limits of a script that runs unconfined", () => {
	it("hold with the environment scrubbed too, and for a bundle that is trusted", async () => {
		const { executor, out } = stage("none");
		onTestFinished(() => {
			reloadConfig();
		});
		for (const [env, trust] of [
			["keep", "core"],
			["scrub", "external"],
		] as const) {
			configure({ sandbox: { enabled: true, backend: "none", env, limits: { fileSizeMb: 1 } } });
			const command = ["bash", "-c", 'exec head -c 3000000 /dev/zero > "$1"', "bash", join(out, env)];
			const result = await executor.run(command, { capabilities: new Capabilities({ trust, timeout: 20 }), skillDir: out });
			expect(result).toMatchObject({ confinement: "none", signal: "SIGXFSZ", note: "The script reached limits.fileSizeMb (1)." });
			expect(statSync(join(out, env)).size).toBe(1024 * 1024);
		}
	});
});
