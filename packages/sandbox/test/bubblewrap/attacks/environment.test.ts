import { Capabilities, type CapabilitiesInit, configure, reloadConfig } from "@robot-lab/core";
import { runBounded } from "@robot-lab/core/process";
import { describe, expect, it, onTestFinished } from "vitest";
import { chooseStrategy } from "../../../src/strategy/choose.js";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { arena } from "../arena.js";

const LOOK =
	"env; tr '\\0' '\\n' < /proc/self/environ; tr '\\0' '\\n' < /proc/$PPID/environ; tr '\\0' '\\n' < /proc/1/environ; cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'; echo looked";

describe.skipIf(noBubblewrap !== undefined)(`the host's environment (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("is in no process that a script can see, where it is in the script's own without confinement", async () => {
		process.env.TEST_API_KEY = "sesame-of-the-host";
		process.env.HARMLESS = "sesame-of-the-host";
		process.env.LD_AUDIT = "";
		onTestFinished(() => {
			for (const name of ["TEST_API_KEY", "HARMLESS", "LD_AUDIT"]) delete process.env[name];
		});
		const { confined, unconfined } = arena();
		expect((await unconfined("env")).output).toContain("TEST_API_KEY=sesame-of-the-host");
		const { output } = await confined(LOOK, { env: { CHOSEN: "by the caller", BASH_ENV: "/tmp/x" } });
		expect(output).toContain("looked\n");
		expect(output).toContain("CHOSEN=by the caller\n");
		expect(output).not.toMatch(/sesame|HARMLESS|LD_AUDIT|BASH_ENV/);
	});

	it("is there by the exact names that the host's configuration passes, and by no name that a skill declares", async () => {
		Object.assign(process.env, { TEST_API_KEY: "sesame-of-the-host", TEST_API_KEY_2: "sesame-of-the-host" });
		onTestFinished(() => {
			for (const name of ["TEST_API_KEY", "TEST_API_KEY_2"]) delete process.env[name];
		});
		const { confined } = arena();
		const grant = { envPass: ["TEST_API_KEY"], env_pass: ["TEST_API_KEY"], env: "keep" } as CapabilitiesInit;
		expect((await confined(LOOK, { grant })).output).not.toContain("sesame");
		configure({ sandbox: { envPass: ["TEST_API_KEY"] } });
		const { output } = await confined("env", { grant });
		expect(output).toContain("TEST_API_KEY=sesame-of-the-host\n");
		expect(output).not.toContain("TEST_API_KEY_2");
	});

	it("is there by those names too for whoever runs what Sandbox.for() chose", async () => {
		process.env.TEST_API_KEY = "sesame-of-the-host";
		onTestFinished(() => void delete process.env.TEST_API_KEY);
		const env = async (envPass: readonly string[]): Promise<string> => {
			const config = configure({ sandbox: { backend: "bubblewrap", envPass } });
			const strategy = chooseStrategy(new Capabilities(), { skillDir: "/usr/share", config });
			try {
				return (await runBounded(await strategy.wrap(["env"]), { ...strategy.spawn, cwd: "/", survivors: "kill" })).output;
			} finally {
				await strategy.cleanup();
			}
		};
		onTestFinished(() => void reloadConfig());
		const without = await env([]);
		expect(without).toContain("PATH=");
		expect(without).not.toContain("TEST_API_KEY");
		expect(await env(["TEST_API_KEY"])).toContain("TEST_API_KEY=sesame-of-the-host\n");
	});

	it("is not on the command line of bwrap, which every user of the host can read", async () => {
		const { confined } = arena();
		let commandLine = "";
		const { readFileSync } = await import("node:fs");
		await confined("echo x", {
			env: { PRIVATE: "for this script alone" },
			onLifecycle: (reason, detail) => {
				if (reason !== "command_start") return;
				commandLine = readFileSync(`/proc/${(detail as { pid: number }).pid}/cmdline`, "latin1");
			},
		});
		expect(commandLine).toContain("bwrap\0--args\0");
		expect(commandLine).not.toContain("for this script alone");
	});
});
