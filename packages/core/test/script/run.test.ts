import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { Capabilities } from "../../src/capability/capabilities.js";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import type { ScriptExecutor, ScriptOptions } from "../../src/script/script-executor.js";
import { ScriptTool } from "../../src/script/script-tool.js";
import { temporaryBundle } from "./bundle.js";

afterEach(() => {
	reloadConfig();
	ScriptTool.executor = undefined;
});

const capabilities = new Capabilities();
const optionsIn = (skillDir: string, more: Partial<ScriptOptions> = {}): ScriptOptions => ({ capabilities, skillDir, ...more });
const shell = (script: string, more: Partial<ScriptOptions> = {}) => ScriptTool.run(["sh", "-c", script], optionsIn("/", more));

describe("ScriptTool.run() without an executor", () => {
	it("gives output in the order written, the exit code, and says that nothing was confined", async () => {
		const result = await shell("echo a; echo b >&2; echo c; exit 3");
		expect(result).toMatchObject({
			output: "a\nb\nc\n",
			exitCode: 3,
			signal: null,
			timedOut: false,
			aborted: false,
			truncatedBytes: 0,
			confinement: "none",
		});
		expect(result.refusal).toBeUndefined();
		expect(ScriptTool.formatResult(result)).toBe("Error (exit 3):\na\nb\nc\n");
	});

	it("names the signal that ended a script", async () => {
		expect(await shell("kill -SEGV $$")).toMatchObject({ exitCode: null, signal: "SIGSEGV" });
	});

	it("tells a script its bundle and the host's directory, adds variables, and works in the host's directory", async () => {
		const bundle = temporaryBundle();
		const print = 'echo "$SKILL_DIR|$WORK_DIR|$PWD|$EXTRA|$HOME"';
		const { output } = await ScriptTool.run(["sh", "-c", print], optionsIn(bundle, { env: { EXTRA: "e" } }));
		expect(output).toBe(`${bundle}|${process.cwd()}|${process.cwd()}|e|${process.env.HOME}\n`);
	});

	it("works in the bundle's directory where scripts.cwd says so, and in the caller's where there is one", async () => {
		const bundle = temporaryBundle();
		configure({ scripts: { cwd: "skill" } });
		expect((await ScriptTool.run(["pwd"], optionsIn(bundle))).output).toBe(`${bundle}\n`);
		expect((await ScriptTool.run(["pwd"], optionsIn(bundle, { cwd: "/" }))).output).toBe("/\n");
	});

	it("closes standard input unless there is text for it", async () => {
		expect((await shell("cat")).output).toBe("");
		expect((await shell("cat", { stdin: "typed" })).output).toBe("typed");
	});

	it("gives no word to a shell", async () => {
		const bundle = temporaryBundle();
		const { output } = await ScriptTool.run(["printf", "%s|", "$(touch owned)", "; touch owned", "*"], optionsIn(bundle, { cwd: bundle }));
		expect(output).toBe("$(touch owned)|; touch owned|*|");
		expect(existsSync(join(bundle, "owned"))).toBe(false);
	});

	it("cuts the output to the budget and says by how much", async () => {
		const result = await shell("head -c 100000 /dev/zero | tr '\\0' x", { maxOutputBytes: 1000 });
		expect(result.truncatedBytes).toBe(99_000);
		expect(result.output.length).toBeLessThan(1200);
	});

	it("keeps no more than the smallest of the caller's budget, the bundle's limit and the configured one", async () => {
		const keptOf = async (outputBytes: number | undefined, ceiling: number | undefined, maxOutputBytes?: number): Promise<number> => {
			reloadConfig();
			if (ceiling !== undefined) configure({ sandbox: { limits: { outputBytes: ceiling } } });
			const result = await shell("head -c 100000 /dev/zero | tr '\\0' x", {
				capabilities: new Capabilities({ limits: outputBytes === undefined ? {} : { outputBytes } }),
				...(maxOutputBytes !== undefined && { maxOutputBytes }),
			});
			return 100_000 - result.truncatedBytes;
		};
		expect(await keptOf(undefined, undefined)).toBe(100_000);
		expect(await keptOf(100, undefined)).toBe(100);
		expect(await keptOf(undefined, 200)).toBe(200);
		expect(await keptOf(5_000, 300, 400)).toBe(300);
		expect(await keptOf(5_000, 6_000, 400)).toBe(400);
	});

	it("keeps no more of two streams together than of one", async () => {
		const both = "head -c 50000 /dev/zero | tr '\\0' x; head -c 50000 /dev/zero | tr '\\0' y >&2";
		const result = await shell(both, { maxOutputBytes: 1000, streams: "separate" });
		expect(result.truncatedBytes).toBe(99_000);
		expect(result.output.match(/x/g)?.length).toBe(500);
	});

	it("warns once in the life of the process of limits that nothing enforces, and names them", async () => {
		const warnings: Error[] = [];
		const note = (warning: Error): void => void warnings.push(warning);
		process.on("warning", note);
		configure({ sandbox: { limits: { memoryMb: 64, outputBytes: 100 } } });
		for (let run = 0; run < 2; run++) await shell("true", { capabilities: new Capabilities({ limits: { cpuSeconds: 5 } }) });
		await new Promise((resolve) => setImmediate(resolve));
		process.off("warning", note);
		expect(warnings).toMatchObject([
			{ code: "ROBOT_LAB_LIMITS_NOT_ENFORCED", message: expect.stringMatching(/unconfined: cpuSeconds, memoryMb\./) },
		]);
	});

	it("ends with the caller's signal, whatever the script thinks of it", async () => {
		const controller = new AbortController();
		const told: string[] = [];
		const running = shell("trap '' TERM; echo started; sleep 60 & wait; sleep 60", {
			signal: controller.signal,
			onOutput: (chunk) => {
				told.push(chunk);
				controller.abort();
			},
		});
		const result = await running;
		expect(result).toMatchObject({ aborted: true, timedOut: false, output: "started\n" });
		expect(told).toEqual(["started\n"]);
	});

	it("starts nothing when the signal was aborted before", async () => {
		const bundle = temporaryBundle();
		const result = await ScriptTool.run(["touch", join(bundle, "made")], optionsIn(bundle, { signal: AbortSignal.abort() }));
		expect(result).toMatchObject({ aborted: true, exitCode: null });
		expect(existsSync(join(bundle, "made"))).toBe(false);
	});

	it("has no deadline of its own, whatever the bundle declares", async () => {
		const result = await shell("sleep 1.5; echo late", { capabilities: new Capabilities({ timeout: 1 }) });
		expect(result).toMatchObject({ output: "late\n", exitCode: 0, timedOut: false });
	});

	it("leaves background children alone without waiting for them", async () => {
		const bundle = temporaryBundle();
		const child = '(for i in $(seq 400); do [ -e "$SKILL_DIR/go" ] && break; sleep 0.05; done; echo later > "$SKILL_DIR/later") & echo now';
		const result = await ScriptTool.run(["sh", "-c", child], optionsIn(bundle));
		expect(result).toMatchObject({ output: "now\n", exitCode: 0 });
		expect(existsSync(join(bundle, "later"))).toBe(false);
		writeFileSync(join(bundle, "go"), "");
		await expect
			.poll(() => existsSync(join(bundle, "later")) && readFileSync(join(bundle, "later"), "utf8"), { timeout: 10_000 })
			.toBe("later\n");
	});

	it("tells of each step", async () => {
		const steps = async (script: string, more: Partial<ScriptOptions> = {}): Promise<unknown> => {
			const told: [string, object | undefined][] = [];
			await shell(script, { ...more, onLifecycle: (reason, detail) => void told.push([reason, detail]) });
			return told;
		};
		expect(await steps("exit 0")).toMatchObject([
			["command_start", { confinement: "none", pid: expect.any(Number) }],
			["command_complete", { exitCode: 0 }],
		]);
		expect(await steps("exit 4")).toMatchObject([
			["command_start", {}],
			["command_failed", { exitCode: 4 }],
		]);
		expect(await steps("sleep 60", { signal: AbortSignal.timeout(100) })).toMatchObject([
			["command_start", {}],
			["command_interrupted", {}],
		]);
		expect(await steps("exit 0", { signal: AbortSignal.abort() })).toMatchObject([["command_interrupted", {}]]);
		expect(await steps("exit 0", { cwd: "/nowhere" })).toMatchObject([["command_failed", { refusal: { code: "cwd_missing" } }]]);
	});

	it("is not disturbed by listeners that throw or reject", async () => {
		const listener = (): never => {
			throw new Error("listener");
		};
		const rejecting = (async () => listener()) as unknown as () => void;
		expect(await shell("echo a", { onOutput: listener, onLifecycle: rejecting })).toMatchObject({ output: "a\n", exitCode: 0 });
	});

	it("keeps twenty runs at once apart", async () => {
		const runs = Array.from({ length: 20 }, (_, index) => shell(`for i in 1 2 3 4 5; do echo ${index}; done`));
		expect((await Promise.all(runs)).map(({ output }) => output)).toEqual(runs.map((_, index) => `${index}\n`.repeat(5)));
	});
});

describe("ScriptTool.run() and what cannot be run", () => {
	it.each<[string, readonly string[], Partial<ScriptOptions>, string, RegExp]>([
		[
			"a missing interpreter",
			["no-such-interpreter", "/x/check.rb"],
			{},
			"interpreter_missing",
			/"no-such-interpreter" was not found.*"check\.rb" needs.*Install no-such-interpreter, or put its directory on PATH\.$/,
		],
		[
			"an interpreter missing where the first line says",
			["/opt/none/python", "/x/a.py"],
			{},
			"interpreter_missing",
			/\/opt\/none\/python.*change the script's first line/,
		],
		[
			"an interpreter missing in the caller's PATH",
			["sh", "-c", "true"],
			{ env: { PATH: "/nowhere" } },
			"interpreter_missing",
			/^(?!.*nowhere).*"sh" was not found: it is in no directory of PATH/,
		],
		["a directory in the place of a program", ["/tmp", "x"], {}, "interpreter_missing", /not an executable file/],
		["a missing working directory", ["true"], { cwd: "/no/where" }, "cwd_missing", /"\/no\/where" does not exist/],
		["a file as working directory", ["true"], { cwd: "/etc/passwd" }, "cwd_missing", /no directory/],
		["a NUL in an argument", ["echo", "a\0b"], {}, "invalid_arguments", /NUL/],
		["arguments larger than the system takes", ["echo", "x".repeat(4_000_000)], {}, "arguments_too_long", /larger than the system allows/],
	])("answers with a refusal for %s", async (_, command, more, code, message) => {
		const result = await ScriptTool.run(command, optionsIn("/", more));
		expect(result).toMatchObject({ output: "", exitCode: null, refusal: { code, message: expect.stringMatching(message) } });
		expect(result.refusal?.message).not.toContain("\n");
		expect(ScriptTool.formatResult(result)).toMatch(new RegExp(`^Error \\(not run: ${code}\\): `));
	});

	it("refuses when the host's own directory has been deleted", async () => {
		const home = process.cwd();
		onTestFinished(() => process.chdir(home));
		const doomed = temporaryBundle({ "dir/file": "" });
		process.chdir(join(doomed, "dir"));
		await ScriptTool.run(["rm", "-r", join(doomed, "dir")], optionsIn("/", {}));
		expect(await shell("echo a")).toMatchObject({ refusal: { code: "cwd_missing" } });
	});

	it.each<[string, unknown, unknown, RegExp]>([
		["a command line", "echo hi", {}, /command must be a list of strings/],
		["an empty command", [], {}, /command must be/],
		["a blank program", [""], {}, /names a program/],
		["a number in a command", ["echo", 3], {}, /command must be/],
		["no options", ["true"], undefined, /options must be/],
		["no capabilities", ["true"], { skillDir: "/" }, /options\.capabilities.*new Capabilities/],
		["front matter as capabilities", ["true"], { skillDir: "/", capabilities: { fs_read: ["."] } }, /options\.capabilities/],
		["a relative bundle directory", ["true"], { capabilities, skillDir: "x" }, /options\.skillDir must be the absolute path/],
		["a relative working directory", ["true"], { capabilities, skillDir: "/", cwd: "." }, /options\.cwd/],
		["a variable that is no text", ["true"], { capabilities, skillDir: "/", env: { A: 1 } }, /options\.env/],
		["a variable's name with =", ["true"], { capabilities, skillDir: "/", env: { "A=B": "1" } }, /options\.env/],
		["a negative budget", ["true"], { capabilities, skillDir: "/", maxOutputBytes: -1 }, /options\.maxOutputBytes/],
		["unknown streams", ["true"], { capabilities, skillDir: "/", streams: "both" }, /options\.streams/],
		["a signal that is none", ["true"], { capabilities, skillDir: "/", signal: {} }, /options\.signal/],
		["a listener that is none", ["true"], { capabilities, skillDir: "/", onOutput: "log" }, /options\.onOutput must be a function/],
	])("throws for %s, which is the programmer's mistake", async (_, command, options, message) => {
		const running = ScriptTool.run(command as string[], options as ScriptOptions);
		await expect(running).rejects.toThrow(message);
		await expect(running).rejects.toSatisfy((error) => ConfigurationError.isInstance(error));
	});
});

describe("ScriptTool.run() with an executor that fails or is missing", () => {
	const failing: readonly (readonly [string, ScriptExecutor["run"]])[] = [
		["rejects", async () => Promise.reject(new Error("no profile"))],
		[
			"throws",
			() => {
				throw new Error("no profile");
			},
		],
		["answers nothing", async () => undefined as never],
		["answers with text, as the reference's would", async () => "done" as never],
	];

	it.each(failing)("does not run the script unconfined when it %s", async (_, run) => {
		const bundle = temporaryBundle();
		ScriptTool.executor = { specificationVersion: "v1", name: "broken", run };
		const result = await ScriptTool.run(["touch", join(bundle, "made")], optionsIn(bundle));
		expect(result).toMatchObject({ refusal: { code: "executor_failed", message: expect.stringContaining('"broken"') } });
		expect(existsSync(join(bundle, "made"))).toBe(false);
		ScriptTool.executor = undefined;
		await ScriptTool.run(["touch", join(bundle, "made")], optionsIn(bundle));
		expect(existsSync(join(bundle, "made"))).toBe(true);
	});

	it.each([{}, { signal: undefined, aborted: undefined, durationMs: undefined }])(
		"fills in what the executor's result leaves out (%o)",
		async (left) => {
			const answer = { output: "hi", exitCode: 0, timedOut: false, ...left };
			ScriptTool.executor = { specificationVersion: "v1", name: "terse", run: async () => answer } as unknown as ScriptExecutor;
			const result = await shell("echo other");
			expect(result).toEqual({ ...answer, signal: null, aborted: false, truncatedBytes: 0, durationMs: 0, confinement: "none" });
			expect(ScriptTool.formatResult(result)).toBe("hi");
			expect(ScriptTool.formatResult(answer as unknown as typeof result)).toBe("hi");
		},
	);

	it("runs nothing when confinement is asked for and nothing that confines is imported", async () => {
		const bundle = temporaryBundle();
		const touch = () => ScriptTool.run(["touch", join(bundle, "made")], optionsIn(bundle));
		configure({ sandbox: { enabled: true } });
		expect(await touch()).toMatchObject({
			refusal: { code: "sandbox_not_imported", message: expect.stringMatching(/Import "@robot-lab\/sandbox".*sandbox\.enabled to false/) },
			exitCode: null,
		});
		expect(existsSync(join(bundle, "made"))).toBe(false);
		configure({ sandbox: { enabled: false } });
		expect(await touch()).toMatchObject({ exitCode: 0 });
		expect(existsSync(join(bundle, "made"))).toBe(true);
	});

	it("does not ask it about what could not be run anyway", async () => {
		const asked: string[] = [];
		ScriptTool.executor = {
			specificationVersion: "v1",
			name: "asked",
			run: async (command) => Promise.reject(new Error(String(asked.push(...command)))),
		};
		expect(await ScriptTool.run(["no-such-interpreter"], optionsIn("/"))).toMatchObject({ refusal: { code: "interpreter_missing" } });
		expect(asked).toEqual([]);
	});
});
