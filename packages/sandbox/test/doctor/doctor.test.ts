import { readdirSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Laboratory } from "../../src/doctor/attempt.js";
import { type Check, EPERM, EVERYWHERE } from "../../src/doctor/check.js";
import { CHECKS } from "../../src/doctor/checks/checks.js";
import { examineHost, runDoctor } from "../../src/doctor/doctor.js";
import { examine } from "../../src/doctor/examine.js";
import { openListeners } from "../../src/doctor/listeners.js";
import { setScene } from "../../src/doctor/scene.js";
import { chooseStrategy } from "../../src/strategy/choose.js";
import { noSeatbelt } from "../support/no-seatbelt.js";
import { PASSES_PROBE, standIn } from "../support/stand-in.js";
import { lives, workshop } from "../support/workshop.js";
import { ownSurroundings } from "./own-surroundings.js";

const SLOW = { timeout: 180_000 };

describe("the table of checks", () => {
	it("has a name of its own, a reason and a platform for each, and says of each attack how a refusal reads there", () => {
		expect(new Set(CHECKS.map(({ name }) => name)).size).toBe(CHECKS.length);
		for (const { name, why, platforms, expect: expected, says } of CHECKS) {
			expect(why, name).toMatch(/^[a-z].*\.$/i);
			expect(platforms.length, name).toBeGreaterThan(0);
			const words = platforms.map((platform) => says?.[platform]?.length ?? 0);
			expect(expected === "refused" ? Math.min(...words) > 0 : Math.max(...words) === 0, name).toBe(true);
		}
	});
});

describe("Sandbox.doctor() where nothing can be checked", () => {
	const nothing = { rows: [], untried: [], isHealthy: false };
	const pretend = (behaviour: string, probed: string) => examineHost(standIn(workshop(), behaviour, probed).host);

	it.each([
		["rejects every profile", "echo 'sandbox-exec: unbound variable: x' >&2; exit 65", "profile_rejected"],
		["is inside a sandbox", "echo 'sandbox-exec: sandbox_apply: Operation not permitted' >&2; exit 71", "nested_sandbox"],
		["confines nothing", 'shift 2; exec "$@"', "probe_failed"],
	])("says why for a sandbox-exec that %s, and tries nothing", async (_, probed, code) => {
		expect(await pretend("true", probed)).toEqual({
			...nothing,
			platform: "darwin",
			backend: "seatbelt",
			unavailable: { code, message: expect.any(String) },
		});
	});

	it("says what a platform lacks, and what to do", async () => {
		const host = { platform: "win32", choose: chooseStrategy } as const;
		expect(await examineHost(host)).toEqual({
			...nothing,
			platform: "win32",
			backend: "none",
			unavailable: { code: "unsupported_platform", message: expect.stringContaining("macOS or Linux") },
		});
		expect(await examineHost(host, { backend: "bubblewrap" })).toMatchObject({ ...nothing, unavailable: { code: "unsupported_platform" } });
		expect(await examineHost({ ...host, platform: "linux" }, { backend: "seatbelt" })).toMatchObject({
			...nothing,
			backend: "seatbelt",
			unavailable: { code: "unsupported_platform", message: expect.stringContaining("only macOS has") },
		});
	});
});

/** Besides those that are attacks which get through. */
const OTHER_ROWS = [
	"bash starts",
	"python3 of Homebrew starts",
	"reading by /System/Volumes/Data",
	"the host's secrets in the environment",
	"a larger file than the limit",
	"mounting anew what may only be read",
];

describe("Sandbox.doctor() on macOS", () => {
	it.skipIf(process.platform === "darwin")(
		"says of attacks that they get through a sandbox-exec that deceives the probe, and skips what is not there to attack (a Mac has its own)",
		SLOW,
		async () => {
			const { temporary } = ownSurroundings();
			const through = [
				"reading a file at home",
				"writing what may only be read",
				"deleting what may only be read",
				"TCP without the network",
				"signals to other processes",
			];
			const checks = CHECKS.filter(({ name }) => [...through, ...OTHER_ROWS].includes(name));
			const { isHealthy, rows, untried } = await examineHost(standIn(workshop()).host, {}, checks);
			const row = (name: string) => rows.find((one) => one.name === name);
			expect(isHealthy).toBe(false);
			expect(untried).toEqual(["reading by /System/Volumes/Data"]);
			expect(row("bash starts")).toMatchObject({ outcome: "ok" });
			for (const name of through)
				expect(row(name)).toMatchObject({ outcome: "failed", seen: "it got through", expected: "refused: Operation not permitted" });
			expect(row("reading by /System/Volumes/Data")).toMatchObject({
				outcome: "skipped",
				seen: expect.stringContaining("does not work here even without confinement: cat: /System/Volumes/Data"),
			});
			expect(row("python3 of Homebrew starts")).toMatchObject({ outcome: "skipped", seen: expect.stringContaining("not installed") });
			expect(row("the host's secrets in the environment")).toMatchObject({ outcome: "ok", seen: "not there" });
			expect(row("a larger file than the limit")).toMatchObject({ outcome: "ok", seen: "File too large" });
			expect(row("mounting anew what may only be read")).toBeUndefined();
			expect(readdirSync(temporary).filter((name) => name.startsWith("robot-lab-"))).toEqual([]);
		},
	);

	it.skipIf(noSeatbelt !== undefined)(`finds nothing wrong with this Mac (${noSeatbelt ?? "Seatbelt works here"})`, SLOW, async () => {
		const report = await runDoctor();
		expect(report.rows.filter(({ outcome }) => outcome === "failed")).toEqual([]);
		expect(report).toMatchObject({ backend: "seatbelt", isHealthy: true, untried: [] });
	});
});

it("a scene takes everything with it that was made for it", async () => {
	const { home, temporary } = ownSurroundings();
	const listeners = await openListeners();
	onTestFinished(() => listeners.close());
	const check = CHECKS.find(({ needs }) => needs === "victim");
	if (check === undefined) throw new Error("No check needs another process.");
	const scene = await setScene(check, "true", listeners);
	const victim = Number(scene.environment.VICTIM);
	expect([lives(victim), readdirSync(home).length, readdirSync(temporary).length]).toEqual([true, 1, 1]);
	await scene.remove();
	expect([lives(victim), readdirSync(home).length, readdirSync(temporary).length]).toEqual([false, 0, 0]);
});

describe("one check", () => {
	const attack: Check = {
		name: "an attack",
		why: "It is one.",
		platforms: EVERYWHERE,
		expect: "refused",
		run: (file) => ["bash", file],
		script: "echo THROUGH",
		says: { darwin: EPERM },
	};

	/** A Mac whose sandbox-exec does what is said instead of confining. */
	async function judge(check: Check, behaviour?: string, backend: Laboratory["backend"] = "seatbelt") {
		ownSurroundings();
		const listeners = await openListeners();
		onTestFinished(() => listeners.close());
		const { host } = standIn(workshop(), behaviour, PASSES_PROBE);
		const laboratory: Laboratory = { host, platform: "darwin", backend, listeners };
		return examine(check, laboratory);
	}

	it("is ok where an attack that works outside fails inside with the words of a refusal, and nothing is changed", async () => {
		expect(await judge(attack, "echo 'x: Operation not permitted'; exit 1")).toMatchObject({
			outcome: "ok",
			seen: "Operation not permitted",
		});
	});

	it("fails where an attack fails inside for another reason", async () => {
		expect(await judge(attack, "echo 'bash: command not found'; exit 127")).toMatchObject({
			outcome: "failed",
			seen: "it failed, but not as it should: bash: command not found",
		});
		expect(await judge(attack, "exit 3")).toMatchObject({
			outcome: "failed",
			seen: expect.stringContaining("it ended with exit code 3 and said nothing"),
		});
	});

	it("fails where a script that is refused has changed something, ended a process or reached a listener all the same", async () => {
		const refused = "echo 'Operation not permitted'";
		const change = 'echo changed > "$IN/note"';
		expect(await judge(attack, `${change}; ${refused}`)).toMatchObject({
			outcome: "failed",
			seen: expect.stringMatching(/^it changed something: in\/note .*changed/),
		});
		expect(await judge(attack, `ln "$IN/note" "$OUT/x"; ${refused}`)).toMatchObject({
			outcome: "failed",
			seen: expect.stringContaining("in/note"),
		});
		expect(await judge(attack, `: > "$OUT/x"; chmod 4755 "$OUT/x"; ${refused}`)).toMatchObject({
			outcome: "failed",
			seen: "it changed something: out/x is new: of another identity",
		});
		expect(await judge(attack, `rm "$IN/note"; ${refused}`)).toMatchObject({
			outcome: "failed",
			seen: "it changed something: in/note is gone",
		});
		expect(await judge(attack, `rm -r "$HIDDEN"; ${refused}`)).toMatchObject({
			outcome: "failed",
			seen: "it changed something: ~/hidden/key is gone",
		});
		expect(await judge(attack, `rm "$OUT/.git/hooks/sample"; ${refused}`)).toMatchObject({
			outcome: "failed",
			seen: "it changed something: out/.git/hooks/sample is gone",
		});
		expect(await judge(attack, `: > "$SKILL_DIR/new"; ${refused}`)).toMatchObject({
			outcome: "failed",
			seen: expect.stringMatching(/^it changed something: skill\/new is new: "" 100/),
		});
		expect(await judge(attack, `: > "$IN/new"; rm "$IN/new"; touch -d 2001-01-01 "$IN"; ${refused}`)).toMatchObject({
			outcome: "failed",
			seen: expect.stringMatching(/^it changed something: in is now 40\d+ .*2001/),
		});
		expect(await judge(attack, `mkdir -p "$OUT/a/b"; : > "$OUT/a/b/x"; chmod 2755 "$OUT/a/b/x"; ${refused}`)).toMatchObject({
			outcome: "failed",
			seen: "it changed something: out/a/b/x is new: of another identity",
		});
		expect(await judge({ ...attack, needs: "victim" }, `kill -9 $VICTIM; sleep 1; ${refused}`)).toMatchObject({
			outcome: "failed",
			seen: "it changed something: the other process is now not alive",
		});
		expect(await judge(attack, `: <> /dev/tcp/127.0.0.1/$TCP; ${refused}`)).toMatchObject({
			outcome: "failed",
			seen: "a listener outside was reached",
		});
		expect(await judge(attack, refused)).toMatchObject({ outcome: "ok" });
	});

	it("fails where the script was not run", async () => {
		const rejecting = "echo 'sandbox-exec: no version' >&2; exit 65";
		expect(await judge(attack, rejecting)).toMatchObject({
			outcome: "failed",
			seen: expect.stringContaining("the script was not run (profile_rejected)"),
		});
		expect(await judge(attack, "true", "bubblewrap")).toMatchObject({
			outcome: "failed",
			seen: expect.stringContaining("the script was not run (unsupported_platform)"),
		});
	});

	it("is skipped where the attack does not work outside, whatever happens inside, and where there is nothing to run it", async () => {
		expect(await judge({ ...attack, script: "echo not here" })).toMatchObject({
			outcome: "skipped",
			seen: "does not work here even without confinement: not here",
		});
		expect(await judge({ ...attack, run: () => "ruby is not on PATH" })).toMatchObject({ outcome: "skipped", seen: "ruby is not on PATH" });
	});

	it("is moot where the attack is refused outside, too, in words of the kernel, and fails all the same where it gets through inside", async () => {
		const refused: Check = { ...attack, script: "echo 'unshare: No'", refusedAnyway: ["unshare: No"] };
		const inside = "echo 'x: Operation not permitted'; exit 1";
		expect(await judge(refused, inside)).toMatchObject({ outcome: "moot", seen: "refused without confinement, too: unshare: No" });
		expect(await judge(refused, "echo THROUGH")).toMatchObject({ outcome: "failed", seen: "it got through" });
		expect(await judge({ ...refused, script: "echo 'unshare: Yes'" }, inside)).toMatchObject({ outcome: "skipped" });
	});

	it("is skipped where scripts with its limits are not run at all, which says why", async () => {
		expect(await judge({ ...attack, limits: { memoryMb: 100 } })).toMatchObject({
			outcome: "skipped",
			seen: "macOS takes a limit of address space and does not hold programs to it",
		});
	});

	it("of something that has to work is ok where it does, and fails where it does not or leaves something behind", async () => {
		const work: Check = { ...attack, expect: "works", says: {} };
		expect(await judge(work)).toMatchObject({ outcome: "ok", seen: "works" });
		expect(await judge(work, "kill -ABRT $$")).toMatchObject({
			outcome: "failed",
			seen: "does not work inside: it ended with SIGABRT and said nothing",
		});
		expect(await judge({ ...work, leftBehind: () => "x is still there" })).toMatchObject({ outcome: "failed", seen: "x is still there" });
	});
});
