import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { Capabilities, configure, type ScriptResult, toScriptResult } from "@robot-lab/core";
import { runBounded } from "@robot-lab/core/process";
import { describe, expect, it, onTestFinished } from "vitest";
import { Bubblewrap } from "../../../src/bubblewrap/bubblewrap.js";
import { LOOK } from "../../../src/bubblewrap/inner-shell.js";
import { Executor } from "../../../src/run/executor.js";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { put } from "../../support/workshop.js";
import { type Arena, arena } from "../arena.js";

const ATTACK = 'cat "$1/file"; echo changed > "$1/file"; echo changed > "$1/new"; echo "the script ran"';

/** A directory inside what another script may write: what is granted to this one. */
function grantedIn({ out }: Arena): string {
	put(join(out, "sub", "file"), "granted\n");
	return join(out, "sub");
}

/** What a script does that may write around the directory, between two steps of another run's beginning. */
function swap(sub: string, target: string): void {
	renameSync(sub, `${sub}.aside`);
	symlinkSync(target, sub);
}

function strategyFor(host: Arena, sub: string, access: "fsRead" | "fsWrite"): Bubblewrap {
	put(join(host.skillDir, "SKILL.md"), "x\n");
	const strategy = new Bubblewrap(new Capabilities({ [access]: [sub] }), {
		skillDir: host.skillDir,
		cwd: host.directory,
		command: ["sh"],
		environment: { PATH: "/usr/bin:/bin" },
	});
	onTestFinished(() => strategy.cleanup());
	return strategy;
}

async function start(strategy: Bubblewrap, argv: readonly string[], spawn = strategy.spawn): Promise<ScriptResult> {
	const ended = await runBounded(argv, { ...spawn, cwd: "/", env: {}, timeoutMs: 20_000, survivors: "kill" });
	return strategy.conclude(toScriptResult(ended, "bubblewrap"));
}

/** The same bwrap with the same arguments, that starts the script itself. */
const unchecked = (argv: readonly string[], command: readonly string[]): readonly string[] => [
	...argv.slice(0, argv.indexOf("--") + 1),
	...command,
];

describe.skipIf(noBubblewrap !== undefined)(`a directory swapped for a link (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it.each(["fsRead", "fsWrite"] as const)(
		"after the mounts were planned is a refusal for %s, where bwrap alone mounts what the link leads to",
		async (access) => {
			const outcome = async (isChecked: boolean): Promise<readonly [ScriptResult, Arena]> => {
				const host = arena();
				const sub = grantedIn(host);
				const strategy = strategyFor(host, sub, access);
				const command = ["sh", "-c", ATTACK, "sh", sub];
				const argv = await strategy.wrap(command);
				swap(sub, host.outside);
				return [await start(strategy, isChecked ? argv : unchecked(argv, command)), host];
			};
			const [leaked, control] = await outcome(false);
			expect(leaked.output).toMatch(/^untouched\n[\s\S]*the script ran\n$/);
			expect(existsSync(join(control.outside, "new"))).toBe(access === "fsWrite");

			const [{ refusal, output }, host] = await outcome(true);
			expect(refusal).toMatchObject({ code: "grant_changed", message: expect.stringContaining("nothing was run. Run it again.") });
			expect(output).toBe("");
			expect(readdirSync(host.outside)).toEqual(["file"]);
			expect(readFileSync(join(host.outside, "file"), "utf8")).toBe("untouched\n");
		},
	);

	it.each([false, true])("is found by the shell inside, where the host must not look into the sandbox: swapped %s", async (isSwapped) => {
		const host = arena();
		const sub = grantedIn(host);
		const strategy = strategyFor(host, sub, "fsWrite");
		const argv = await strategy.wrap(["sh", "-c", ATTACK, "sh", sub]);
		const { dev, ino } = statSync(sub, { bigint: true });
		const told = `${LOOK}/usr/bin/stat\n${dev}:${ino}\n${sub}\n`;
		if (isSwapped) swap(sub, host.outside);
		const fds = strategy.spawn.fds?.map((fd) => (typeof fd === "function" ? () => told : fd));
		const { refusal, output } = await start(strategy, argv, { ...strategy.spawn, ...(fds && { fds }) });
		expect(refusal?.code).toBe(isSwapped ? "grant_changed" : undefined);
		expect(output).toBe(isSwapped ? "" : "granted\nthe script ran\n");
		expect(readdirSync(host.outside)).toEqual(["file"]);
	});

	it("after the grant was made and before the mounts are planned is a refusal too", async () => {
		const host = arena();
		const sub = grantedIn(host);
		const grant = new Capabilities({ fsRead: [sub] }).intersect(new Capabilities({ fsRead: [host.out] }));
		swap(sub, host.outside);
		await expect(new Bubblewrap(grant, { skillDir: host.in }).wrap(["true"])).rejects.toMatchObject({ code: "grant_changed" });
	});

	it("is not seen where nothing was swapped, and the check leaves the script no variable and no descriptor", async () => {
		const host = arena();
		const sub = grantedIn(host);
		const strategy = strategyFor(host, sub, "fsRead");
		const argv = await strategy.wrap(["sh", "-c", 'cat "$1/file"; env | grep -c robot_lab; ls /proc/self/fd | wc -l', "sh", sub]);
		expect((await start(strategy, argv)).output).toMatch(/^granted\n0\n[45]\n$/);
	});

	it.each(["a b ", " a", "*", "back\\slash\\", "$(x)", "-rf", "üñ", "'", '"'])("is not seen in the mere name %j", async (name) => {
		const host = arena();
		const sub = dirname(put(join(host.out, name, "file"), "granted\n"));
		const strategy = strategyFor(host, sub, "fsRead");
		expect((await start(strategy, await strategy.wrap(["cat", join(sub, "file")]))).output).toBe("granted\n");
	});

	it("again and again during 60 runs and more gives none of them what the link leads to, and refuses some", {
		timeout: 300_000,
	}, async () => {
		const host = arena();
		const sub = grantedIn(host);
		const swapper = startSwapping(host);
		put(join(host.skillDir, "SKILL.md"), "x\n");
		const results: ScriptResult[] = [];
		const met = (): number => results.filter(({ refusal }) => refusal?.code === "grant_changed").length;
		// A ceiling that what the link leads to is outside of: a run that finds the link is granted nothing.
		configure({ sandbox: { enabled: true, backend: "bubblewrap", fsRead: [host.out], fsWrite: [host.out] } });
		while (results.length < 60 || (met() === 0 && results.length < 600)) {
			const capabilities = new Capabilities({ [results.length % 2 === 0 ? "fsRead" : "fsWrite"]: [sub] });
			results.push(await Executor.run(["sh", "-c", ATTACK, "sh", sub], { capabilities, skillDir: host.skillDir }));
			expect(swapper.exitCode).toBeNull();
		}
		expect(met()).toBeGreaterThan(0);
		for (const { refusal, output } of results) expect(refusal === undefined || output === "").toBe(true);
		expect(results.map(({ output }) => output).join("")).not.toContain("untouched");
		expect(readdirSync(host.outside)).toEqual(["file"]);
		expect(readFileSync(join(host.outside, "file"), "utf8")).toBe("untouched\n");
	});
});

/** Puts a link in the place of what is granted, and takes it away again, until the test is over. */
function startSwapping({ out, outside }: Arena): ChildProcess {
	symlinkSync(outside, join(out, "link"));
	const flips = "while mv sub aside && mv link sub && sleep 0.002 && mv sub link && mv aside sub; do sleep 0.002; done";
	const swapper = spawn("sh", ["-c", flips], { cwd: out, stdio: "ignore" });
	onTestFinished(async () => {
		swapper.kill("SIGKILL");
		if (swapper.exitCode === null && swapper.signalCode === null) await once(swapper, "exit");
	});
	return swapper;
}
