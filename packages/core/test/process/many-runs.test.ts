import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type BoundedRunOptions, runBounded } from "../../src/process/index.js";
import { canLookForSurvivors, onLinux, uniqueSleep, untilLiving } from "./living.js";

const bash = (script: string, options: BoundedRunOptions = {}) => runBounded(["bash", "-c", script], options);

describe("runBounded(), many at once", () => {
	it("keeps the outputs of 20 runs apart, and gives each its own end", async () => {
		const runs = Array.from({ length: 20 }, async (_, index) => {
			const script = `for i in $(seq 500); do echo "run ${index} line $i"; echo "run ${index} err $i" >&2; done; sleep 0.${String(index).padStart(2, "0")}`;
			const chunks: string[] = [];
			const { output } = await bash(script, { onOutput: (chunk) => chunks.push(chunk), ...(index % 2 ? { timeoutMs: 60_000 } : {}) });
			const lines = Array.from({ length: 500 }, (_, line) => `run ${index} line ${line + 1}\nrun ${index} err ${line + 1}\n`).join("");
			expect(output).toBe(lines);
			expect(chunks.join("")).toBe(lines);
		});
		await Promise.all(runs);
	});

	it("runs 64, of each kind", async () => {
		const kinds: BoundedRunOptions[] = [{}, { timeoutMs: 60_000 }, { survivors: "kill" }, { streams: "separate", stdin: "in" }];
		const results = await Promise.all(Array.from({ length: 64 }, (_, index) => bash(`echo ${index}`, kinds[index % 4])));
		expect(results.map(({ output }) => output)).toEqual(Array.from({ length: 64 }, (_, index) => `${index}\n`));
	});

	it("ends 30 at one deadline", async () => {
		const results = await Promise.all(
			Array.from({ length: 30 }, () => bash('trap "" TERM; while :; do sleep 1; done', { timeoutMs: 1000 })),
		);
		for (const result of results) expect(result).toMatchObject({ timedOut: true, aborted: false, signal: "SIGKILL" });
	});

	it.skipIf(!canLookForSurvivors)("ends what 30 have started in sessions of their own", async () => {
		const marker = uniqueSleep();
		const script = `trap "" TERM; setsid sleep ${marker} & while :; do sleep 1; done`;
		await Promise.all(Array.from({ length: 30 }, () => bash(script, { timeoutMs: 1000 })));
		expect(await untilLiving(marker, 0)).toEqual([]);
	});

	it.skipIf(!onLinux)("keeps no descriptor and no zombie after 140 runs", async () => {
		const some = () =>
			Promise.all(Array.from({ length: 20 }, (_, index) => bash("echo x", index % 2 ? { timeoutMs: 9000, stdin: "x" } : {})));
		const descriptors = () => readdirSync("/proc/self/fd").length;
		for (let count = 0; count < 3; count += 1) await some();
		const before = descriptors();
		for (let count = 0; count < 7; count += 1) await some();
		// Pipes that lie ready for the next runs come and go in batches; 140 runs that each kept one would be at 140.
		expect(descriptors() - before).toBeLessThan(80);
		expect(zombiesOfThisProcess()).toEqual([]);
	});
});

it("importing it loads neither execa nor anything that is imported for it", () => {
	const script = `import { registerHooks } from "node:module";
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
await import("@robot-lab/core/process");
console.log(loaded.filter((url) => url.includes("node_modules")).map((url) => url.split("node_modules/").at(-1)).join());`;
	const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8", cwd: import.meta.dirname });
	expect(stdout).toBe("tree-kill/index.js\n");
});

describe("runBounded() in a process of its own", () => {
	const fixture = (name: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) =>
		spawnSync(process.execPath, ["--expose-gc", join(import.meta.dirname, "fixtures", name), ...args], {
			encoding: "utf8",
			env: { ...process.env, ...env },
		});

	it.each(["silent", "listen"])("takes 200 MB of output in bounded memory (%s)", (mode) => {
		const { stdout, stderr } = fixture("large-output.mjs", [mode]);
		expect(stderr).toBe("");
		const result = JSON.parse(stdout);
		expect(result).toMatchObject({ exitCode: 0, truncatedBytes: 200_000_000 - 2 ** 20, heard: mode === "listen" ? 200_000_000 : 0 });
		expect(result.length).toBeLessThan(2 ** 20 + 100);
		expect(result.grownMegabytes).toBeLessThan(60);
	});

	it("keeps neither the process alive nor a directory on the disk", () => {
		const tmp = mkdtempSync(join(tmpdir(), "many-runs-test-"));
		const { status, stdout, stderr } = fixture("quiet-end.mjs", [], { TMPDIR: tmp });
		expect({ status, stderr, seen: JSON.parse(stdout), left: readdirSync(tmp) }).toEqual({ status: 0, stderr: "", seen: [], left: [] });
		rmSync(tmp, { recursive: true });
	});
});

function zombiesOfThisProcess(): string[] {
	return readdirSync("/proc")
		.filter((name) => Number(name) > 0)
		.map((pid) => {
			try {
				return readFileSync(`/proc/${pid}/stat`, "latin1");
			} catch {
				return "";
			}
		})
		.filter((stat) => stat.includes(`) Z ${process.pid} `));
}
