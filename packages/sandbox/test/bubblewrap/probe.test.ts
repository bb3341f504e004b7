import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Capabilities, configure, reloadConfig } from "@robot-lab/core";
import { afterEach, describe, expect, it } from "vitest";
import { probeBubblewrap } from "../../src/bubblewrap/probe.js";
import { Sandbox } from "../../src/index.js";
import { sandboxStatus } from "../../src/strategy/status.js";
import { noBubblewrap } from "../support/no-bubblewrap.js";
import { put, workshop } from "../support/workshop.js";

const onLinux = process.platform === "linux" && (process.arch === "x64" || process.arch === "arm64");
const realPath = process.env.PATH ?? "";
afterEach(() => {
	reloadConfig();
	process.env.PATH = realPath;
});

/** A program named bwrap that does something else. */
function fake(code: string): string {
	const directory = workshop();
	put(join(directory, "bwrap"), `#!/bin/bash\n${code}\n`, 0o755);
	return directory;
}
const VERSION = 'if [ "$1" = --version ]; then echo "bubblewrap 0.9.0"; exit 0; fi';
/** Runs the command, and has it seem to have run inside. */
const CONFINES_NOTHING = `${VERSION}
while [ "$1" != -- ]; do shift; done; shift
echo '{ "child-pid": 1 }' >&5
"$@"; code=$?
echo "{ \\"exit-code\\": $code }" >&5; exit $code`;

/** Both may be one file. */
const STAT_HIDDEN = [
	...new Set(["/usr/bin/stat", "/bin/stat"].filter((path) => existsSync(path)).map((path) => realpathSync(path))),
].flatMap((path) => ["--ro-bind", "/dev/null", path]);

describe("probeBubblewrap()", () => {
	it.each([
		["darwin", "x64", "unsupported_platform", "Linux only"],
		["win32", "x64", "unsupported_platform", "Linux only"],
		["linux", "riscv64", "unsupported_platform", "riscv64"],
		["linux", "ia32", "unsupported_platform", "ia32"],
	] as const)("says for %s on %s: %s", async (platform, processor, code, text) => {
		expect(await probeBubblewrap(platform, processor)).toMatchObject({ ok: false, code, message: expect.stringContaining(text) });
	});

	it.skipIf(!onLinux)("says backend_missing where PATH has none, and looks into no relative directory of it (Linux)", async () => {
		for (const path of ["/nowhere", "", ".:bin"]) {
			expect(await probeBubblewrap("linux", process.arch, path)).toMatchObject({
				ok: false,
				code: "backend_missing",
				message: expect.stringContaining("Install"),
			});
		}
	});

	it.skipIf(!onLinux).each([
		["exits 1", "echo broken >&2; exit 1", "broken"],
		["says nothing", "exit 0", "does not answer as bubblewrap does"],
		["is too old", 'echo "bubblewrap 0.4.1"', "0.5 or newer"],
		[
			"cannot make namespaces",
			`${VERSION}\necho "bwrap: No permissions to create new namespace" >&2; exit 1`,
			"No permissions to create new namespace",
		],
		["runs its command and confines nothing", CONFINES_NOTHING, "is not"],
		["exits as if all was well without running anything", `${VERSION}\nexit 42`, "exit code 42"],
	])("says probe_failed for a bwrap that %s, and the script does not run (Linux)", async (_, code, text) => {
		const directory = fake(code);
		const probe = await probeBubblewrap("linux", process.arch, directory);
		expect(probe).toMatchObject({ ok: false, message: expect.stringContaining(text) });
		expect(["probe_failed", "nested_sandbox"]).toContain(probe.ok ? "" : probe.code);

		process.env.PATH = `${directory}:${realPath}`;
		configure({ sandbox: { enabled: true, backend: "bubblewrap" } });
		const script = put(join(directory, "s.sh"), `touch ${join(directory, "ran")}\n`, 0o755);
		const result = await Sandbox.Executor.run(["bash", script], {
			capabilities: new Capabilities({ fsWrite: [directory] }),
			skillDir: directory,
		});
		expect(result.refusal?.code).toBe(probe.ok ? "" : probe.code);
		expect(result.confinement).toBe("none");
		expect(existsSync(join(directory, "ran"))).toBe(false);
		expect(await sandboxStatus()).toMatchObject({
			strategy: "bubblewrap",
			enforced: { fsRead: false },
			reason: expect.stringContaining("not run"),
		});
	});

	it.skipIf(noBubblewrap !== undefined)(`says nested_sandbox inside another sandbox (${noBubblewrap ?? "bubblewrap works here"})`, () => {
		const module = JSON.stringify(fileURLToPath(new URL("../../dist/bubblewrap/probe.js", import.meta.url)));
		const code = `import { probeBubblewrap } from ${module}; console.log(JSON.stringify(await probeBubblewrap()));`;
		const around = [
			"--unshare-user",
			"--uid",
			"1000",
			"--disable-userns",
			"--cap-drop",
			"ALL",
			"--bind",
			"/",
			"/",
			"--dev",
			"/dev",
			"--proc",
			"/proc",
		];
		const { stdout } = spawnSync("bwrap", [...around, process.execPath, "--input-type=module", "-e", code], { encoding: "utf8" });
		expect(JSON.parse(stdout)).toMatchObject({
			ok: false,
			code: "nested_sandbox",
			message: expect.stringContaining("Run the host outside"),
		});
	});

	it.skipIf(noBubblewrap !== undefined).each([
		["backend_missing", "there is no stat", ["bwrap", "--dev-bind", "/", "/", ...STAT_HIDDEN], "coreutils"],
		["probe_failed", "nothing can be written down", ["bash", "-c", 'ulimit -f 0; exec "$@"', "bash"], "EFBIG"],
	])(`says %s where %s, and leaves neither files nor descriptors (${noBubblewrap ?? "bubblewrap works here"})`, (code, _, around, text) => {
		const module = JSON.stringify(fileURLToPath(new URL("../../dist/bubblewrap/probe.js", import.meta.url)));
		// What is pinned is opened by nothing but its path (O_PATH), as nothing else is here.
		const main = `import { probeBubblewrap } from ${module}; import { readdirSync, readFileSync } from "node:fs";
const flagsOf = (fd) => { try { return /flags:\\s+(\\d+)/.exec(readFileSync("/proc/self/fdinfo/" + fd, "latin1"))[1]; } catch { return "0"; } };
const probe = await probeBubblewrap();
const pins = readdirSync("/proc/self/fd").filter((fd) => (Number.parseInt(flagsOf(fd), 8) & 0o10000000) !== 0);
console.log(JSON.stringify({ probe, pins }));`;
		const temporary = workshop();
		const [program = "", ...words] = [...around, process.execPath, "--input-type=module", "-e", main];
		const { stdout, stderr } = spawnSync(program, words, { encoding: "utf8", env: { ...process.env, TMPDIR: temporary } });
		expect(stderr).toBe("");
		const { probe, pins } = JSON.parse(stdout);
		expect(probe).toMatchObject({ ok: false, code, message: expect.stringContaining(text) });
		expect(readdirSync(temporary)).toEqual([]);
		expect(pins).toEqual([]);
	});

	it.skipIf(noBubblewrap !== undefined)(`tries once in a process (${noBubblewrap ?? "bubblewrap works here"})`, async () => {
		const [first, second] = await Promise.all([probeBubblewrap(), probeBubblewrap()]);
		expect(first.ok).toBe(true);
		expect(second).toBe(first);
		configure({ sandbox: { enabled: true, backend: "bubblewrap" } });
		expect(await sandboxStatus()).toMatchObject({ strategy: "bubblewrap", enforced: { fsRead: true, processes: true } });
	});
});
