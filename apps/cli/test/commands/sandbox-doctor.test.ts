import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { cliInThread } from "../run-cli.js";

const status = JSON.parse(
	cliInThread(["sandbox", "status", "--backend", process.platform === "darwin" ? "seatbelt" : "bubblewrap", "--json"]).stdout,
);
/** Why nothing confines here; with REQUIRE_CONFINEMENT=1 the tests run all the same and fail. */
const nothingConfines: string | undefined = process.env.REQUIRE_CONFINEMENT === "1" ? undefined : status.reason;
const onLinux = process.platform === "linux";
const SLOW = { timeout: 180_000 };

function workshop(): string {
	const directory = mkdtempSync(join(tmpdir(), "doctor-test-"));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	return directory;
}

/** A PATH without a single interpreter: what starts confined runs, and no more. */
function directoryWithoutInterpreters(): string {
	const { PATH = "" } = process.env;
	const directory = workshop();
	for (const name of ["bwrap", "mkfifo"]) {
		const path = execFileSync("/bin/sh", ["-c", 'command -v "$0"', name], { env: { PATH }, encoding: "utf8" }).trim();
		symlinkSync(path, join(directory, name));
	}
	return directory;
}

it.skipIf(nothingConfines !== undefined)(
	`sandbox doctor prints one row a check, counts them and ends with 0 where nothing failed and all was tried (${nothingConfines ?? "confinement works here"})`,
	SLOW,
	() => {
		const { code, stdout, stderr } = cliInThread(["sandbox", "doctor", "--strict"], { env: { HOME: homedir() } });
		expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
		expect(stdout).toMatch(/^ +check +expected +seen$/m);
		expect(stdout).toMatch(/^ {2}ok +bash starts +works +works$/m);
		expect(stdout).toMatch(/^ {2}ok +reading a file at home +refused +(No such file or directory|Operation not permitted)$/m);
		const rows = (word: string): number => stdout.match(new RegExp(`^  ${word} `, "gm"))?.length ?? 0;
		expect(stdout).toMatch(/^\d+ ok, 0 failed, \d+ skipped(, \d+ moot [^.]+)?\. (seatbelt|bubblewrap) keeps scripts here/m);
		expect(stdout).toContain(`\n${rows("ok")} ok, ${rows("FAILED")} failed, ${rows("skipped")} skipped`);
	},
);

it.skipIf(!onLinux || nothingConfines !== undefined)(
	`sandbox doctor says what it could not try for want of bash, and ends with 1 for that where it is strict (Linux; ${nothingConfines ?? "confinement works here"})`,
	SLOW,
	() => {
		const env = { PATH: directoryWithoutInterpreters(), HOME: workshop() };
		const { code, stdout } = cliInThread(["sandbox", "doctor"], { env });
		expect(code).toBe(0);
		expect(stdout).toMatch(/^ {2}ok +sh starts/m);
		expect(stdout).toMatch(/^ {2}skipped +reading a file at home +refused +bash is not on PATH$/m);
		expect(stdout).toMatch(/^\d+ ok, 0 failed, \d+ skipped\. What was tried holds under bubblewrap\.$/m);
		expect(stdout).toMatch(/^Not tried, though every computer can try it: bash starts; env starts; .*reading a file at home; /m);
		expect(stdout).not.toMatch(/^Not tried.*ruby/m);
		expect(cliInThread(["sandbox", "doctor", "--strict"], { env }).code).toBe(1);
	},
);

it.runIf(onLinux)("sandbox doctor ends with 1 and says what to install where there is no bwrap (Linux)", () => {
	const without = { env: { PATH: "/nowhere" } };
	const { code, stdout } = cliInThread(["sandbox", "doctor"], without);
	expect(code).toBe(1);
	expect(stdout).toMatch(/^Nothing was checked \(backend_missing\): .*Install the package "bubblewrap"/);
	expect(JSON.parse(cliInThread(["sandbox", "doctor", "--json"], without).stdout)).toEqual({
		platform: "linux",
		backend: "bubblewrap",
		unavailable: { code: "backend_missing", message: expect.stringContaining("Install") },
		rows: [],
		untried: [],
		isHealthy: false,
	});
});

it.runIf(onLinux)("sandbox doctor --backend of another platform ends with 1 and says which has it (Linux)", () => {
	const { code, stdout } = cliInThread(["sandbox", "doctor", "--backend", "seatbelt", "--json"]);
	expect(code).toBe(1);
	expect(JSON.parse(stdout)).toMatchObject({
		backend: "seatbelt",
		unavailable: { code: "unsupported_platform", message: expect.stringContaining("only macOS has") },
	});
});

it("sandbox doctor takes no backend that confines nothing, which is wrong usage", () => {
	expect(cliInThread(["sandbox", "doctor", "--backend", "none"])).toMatchObject({ code: 2, stderr: expect.stringContaining("seatbelt") });
});
