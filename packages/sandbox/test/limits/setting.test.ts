import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { runBounded } from "@robot-lab/core/process";
import { describe, expect, it } from "vitest";
import { setting } from "../../src/limits/setting.js";
import { workshop } from "../support/workshop.js";

const SHOW = ["/bin/sh", "-c", "ulimit -S -f; ulimit -H -f; ulimit -S -t; ulimit -H -t"];
const MIB = 1024 * 1024;
const AMOUNTS = new Map([
	["fileSizeMb", { soft: MIB, hard: MIB }],
	["cpuSeconds", { soft: 7, hard: 8 }],
] as const);

/** What a Mac's /bin/sh may be, as far as it is here: each under the name `sh`, by which bash knows that it is to count in blocks of 512 bytes. */
const SHELLS = ["/bin/bash", "/bin/dash", "/bin/zsh", "/bin/mksh"].filter((path) => existsSync(path));

describe("setting()", () => {
	it.runIf(process.platform === "linux")("has prlimit set what is asked for", async () => {
		const { output } = await runBounded([...setting(AMOUNTS, { setter: "/usr/bin/prlimit", platform: "linux" }), ...SHOW]);
		expect(output).toBe("2048\n2048\n7\n8\n");
	});

	describe.each(SHELLS)("with %s as the shell of a Mac", (path) => {
		const shell = (): string => {
			const name = join(workshop(), "sh");
			symlinkSync(path, name);
			return name;
		};
		const set = (amounts: Parameters<typeof setting>[0] = AMOUNTS) => setting(amounts, { setter: shell(), platform: "darwin" });

		it("sets what is asked for, and hands the rest over", async () => {
			expect((await runBounded([...set(), ...SHOW])).output).toBe("2048\n2048\n7\n8\n");
			const args = ["", "--", "f", "1 2\n'", "$(id)"];
			const { output } = await runBounded([...set(), "perl", "-e", 'print map { "[$_]" } @ARGV', "--", ...args]);
			expect(output).toBe(args.map((arg) => `[${arg}]`).join(""));
		});

		it("keeps a lower limit that the host has itself", async () => {
			const lower = ["/bin/sh", "-c", 'ulimit -f 100; ulimit -t 3; exec "$@"', "sh"];
			expect((await runBounded([...lower, ...set(), ...SHOW])).output).toBe("100\n100\n3\n3\n");
		});

		it("runs nothing where a limit cannot be set", async () => {
			const [program = "", option = "", text = "", name = ""] = set();
			const { output, exitCode } = await runBounded([program, option, text, name, "?", "5", "5", "--", "echo", "ran"]);
			expect(exitCode).toBe(126);
			expect(output).toContain("nothing was run");
			expect(output).not.toMatch(/^ran$/m);
		});
	});
});
