import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Capabilities, configure } from "@robot-lab/core";
import { array, assert, asyncProperty, constantFrom, tuple } from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Answer } from "../../src/explain/answer.js";
import { explain } from "../../src/explain/explain.js";
import { type Arena, arena } from "../bubblewrap/arena.js";
import { noBubblewrap } from "../support/no-bubblewrap.js";
import { put } from "../support/workshop.js";
import { done, scriptOf } from "./deeds.js";

const VERBS = ["read", "list", "write", "delete", "run"];
const SUFFIXES = ["", "/", "//", "/.", "/./", "/..", "/../f", "/x", "/./x", "/../missing"];
const PREFIXES = [
	"./",
	"deep/",
	"deep/../",
	"to-deep/",
	"to-deep/../",
	"f/",
	"f/../",
	"missing/../",
	"/proc/self/cwd/",
	"/proc/1/cwd/",
	"/dev/../",
];
const STEMS = ["f", "deep", "lock", "shut", "fixed", "none", "to-f", "to-deep", "loop", "dangling", "missing", "socket"];
const PROGRAMS = [
	"text",
	"nothing",
	"lost",
	"tilde",
	"script",
	"blanks",
	"cut",
	"machine",
	"chain1",
	"chain4",
	"chain5",
	"chain6",
	"relative",
	"own-proc",
];

/** Everything by which a look-up can go astray, in the directory in which the script runs. */
async function furnish({ out }: Arena): Promise<void> {
	for (const name of ["f", "deep/x", "lock/x", "shut/x", "fixed", "none"]) put(join(out, name), "x");
	mkdirSync(join(out, "deep/er"));
	for (const [name, target] of Object.entries({ "to-f": "f", "to-deep": "deep/er", loop: "loop", dangling: "nowhere" }))
		symlinkSync(target, join(out, name));
	const programs: Readonly<Record<string, string>> = {
		text: "true\n",
		nothing: "",
		tilde: "#!~\n",
		"~": "#!/bin/sh\n",
		lost: "#!/no/such/interpreter\n",
		script: "#!/bin/sh\n",
		blanks: "#! \t/bin/sh -e\nexit 3\n",
		cut: `#!//${"./".repeat(123)}bin/shx\n`,
		chain1: "#!./script\n",
		relative: "#!chain1\n",
		"own-proc": "#!/proc/self/cwd/script\n",
	};
	for (const [name, text] of Object.entries(programs)) put(join(out, name), text, 0o755);
	for (const number of [2, 3, 4, 5, 6]) put(join(out, `chain${number}`), `#!./chain${number - 1}\n`, 0o755);
	symlinkSync("/bin/true", join(out, "machine"));
	const server = createServer();
	await new Promise<void>((resolve) => server.listen({ path: join(out, "socket") }, resolve));
	onTestFinished(() => void server.close());
	for (const [name, mode] of Object.entries({ lock: 0o555, shut: 0o644, fixed: 0o444, none: 0 })) chmodSync(join(out, name), mode);
}

async function answersTo({ out, skillDir }: Arena, questions: readonly string[]): Promise<readonly Answer[]> {
	configure({ sandbox: { enabled: true, backend: "bubblewrap", fsRead: ["/"], fsWrite: ["/"] } });
	const capabilities = new Capabilities({ fsWrite: [out], timeout: 60 });
	const command = ["bash", put(join(skillDir, "scripts", "attack"), "", 0o755)];
	return (await explain({ capabilities, skillDir, command, cwd: out, questions })).answers;
}

/** What can be done with a file once it is there is allowed, and nobody makes it here. What a path that goes up leads to is not waited for. */
const isWaitedFor = ({ question, path = "", why = "" }: Answer): boolean =>
	!/^(write|delete) |[ /]\.\.(\/|$)/.test(question) && why.endsWith("it does not exist yet") && !existsSync(path);

/** Where explain and a script that really does it say different things. */
async function differences(scene: Arena, questions: readonly string[]): Promise<readonly object[]> {
	const answers = await answersTo(scene, questions);
	const { output } = await scene.confined(scriptOf(questions), { cwd: scene.out, grant: { fsRead: [], timeout: 60 } });
	const could = done(questions, output);
	return answers.filter((answer) => (answer.allowed && !isWaitedFor(answer)) !== could.has(answer.question));
}

const crossed = (verbs: readonly string[], paths: readonly string[]): readonly string[] =>
	paths.flatMap((path) => verbs.map((verb) => `${verb} ${path}`));

describe.skipIf(noBubblewrap !== undefined)(`explain, of paths oddly spelt (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("knows what becomes of slashes, dots, links, locks and programs that are none", async () => {
		const scene = arena();
		await furnish(scene);
		const spelt = STEMS.flatMap((stem) => SUFFIXES.map((suffix) => `${stem}${suffix}`));
		const questions = [
			...crossed(VERBS, spelt),
			...crossed(
				["run"],
				PROGRAMS.map((name) => `./${name}`),
			),
		];
		expect(await differences(scene, questions)).toEqual([]);
		expect(questions.length).toBeGreaterThan(600);
	});

	it("knows it of whatever they are joined to", async () => {
		const scene = arena();
		await furnish(scene);
		const path = tuple(array(constantFrom(...PREFIXES), { maxLength: 3 }), constantFrom(...STEMS), constantFrom(...SUFFIXES));
		const paths = array(
			path.map(([before, stem, after]) => `${before.join("")}${stem}${after}`),
			{ minLength: 60, maxLength: 60 },
		);
		await assert(
			asyncProperty(paths, async (some) => {
				expect(await differences(scene, crossed(VERBS, [...new Set(some)]))).toEqual([]);
			}),
			{ numRuns: 4, endOnFailure: true },
		);
	});

	it("knows /proc and /dev as the script sees them, not as the host process does", async () => {
		const scene = arena();
		await furnish(scene);
		const ofProcess = readdirSync("/proc/self");
		const ofMachine = readdirSync("/proc").filter((name) => !/^\d+$/.test(name));
		const read = [
			...ofMachine.map((name) => `/proc/${name}`),
			...["self", "thread-self", "1", "2", "99999999"].flatMap((pid) => ofProcess.map((name) => `/proc/${pid}/${name}`)),
			...readdirSync("/proc/self/ns").map((name) => `/proc/self/ns/${name}`),
			...["net/dev", "net/nothing", "fd/0", "fd/77", "fdinfo/0", "fdinfo/77", "task/1", "exe/.", "exe/..", "cwd/..", "root/."].map(
				(name) => `/proc/self/${name}`,
			),
			...["/proc", "/proc/1", "/proc/2", "/proc/99999999", "/proc/01", "/proc/constructor", `/proc/${process.pid}/root`, "/proc/mounts/"],
		];
		const used = [
			...["/proc/self/root/etc/shadow", "/proc/self/root/etc/passwd", "/proc/1/root/tmp", "/proc/self/root/tmp/new"],
			...["/proc/self/cwd/f", "/proc/self/cwd", "/proc/1/cwd/f", "/proc/thread-self/cwd/f", "/proc/self/cwd/missing/../f"],
			...["/proc/thread-self/../x", "/proc/self/../self/cwd/f", "/proc/net/../cwd/f", `/proc/self/root${scene.out}/f`],
			...readdirSync("/dev").map((name) => `/dev/${name}`),
			...[
				"/dev",
				"/dev/",
				"/dev/core",
				"/dev/pts/ptmx",
				"/dev/pts/0",
				"/dev/pts/new",
				"/dev/null/x",
				"/dev/null/",
				"/dev/fd/0",
				"/dev/fd/77",
			],
			...["/dev/shm/new", "/dev/shm/new/", "/dev/shm/../null", "/dev/ptmx/x", "/dev/new"],
			...[
				"/bin/../usr/bin/env",
				"/usr/bin/../bin/env",
				"/etc/../etc/hosts",
				"//etc//passwd",
				"/../etc/passwd",
				"..",
				".",
				"../",
				"~/..",
				"~/.",
			],
		];
		const questions = [...crossed(["read", "list"], read), ...crossed(VERBS, used)];
		// Only the process itself may, and here it is one that the script started which asks.
		const answerable = questions.filter((question) => question !== "read /proc/2/timerslack_ns");
		expect(await differences(scene, [...new Set(answerable)])).toEqual([]);
		const shadow = ["read /proc/self/root/etc/shadow"];
		const { output } = await scene.unconfined(scriptOf(shadow));
		expect(done(shadow, output).size).toBe(process.getuid?.() === 0 ? 1 : 0);
	});

	it("knows the longest names and paths", async () => {
		const scene = arena();
		await furnish(scene);
		const longest = `${"./".repeat(2047)}f`;
		const paths = [longest, `.${longest}`, `./${longest}`, "n".repeat(255), "n".repeat(256), `${"é".repeat(127)}n`, "é".repeat(128)];
		const questions = crossed(["read", "write", "delete", "run"], [...paths, `missing/${"n".repeat(256)}`, "d/".repeat(400)]);
		expect(await differences(scene, questions)).toEqual([]);
		const [path, name] = await answersTo(scene, [`read ${"a/".repeat(500_000)}`, `read ${"n".repeat(256)}`]);
		expect([path?.rule, name?.rule]).toEqual([
			"the kernel takes no path of more than 4,095 bytes",
			"the kernel takes no name of more than 255 bytes",
		]);
	});

	it("answers of a path of as many directories as a path can name, of which there is none", async () => {
		const scene = arena();
		const [answer] = await answersTo(scene, [`write ${"d/".repeat(2047)}x`]);
		expect(answer).toMatchObject({ allowed: true, path: join(scene.out, "d/".repeat(2047), "x") });
	});
});
