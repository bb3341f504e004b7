import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { cli } from "../run-cli.js";

const status = JSON.parse(
	cli(["sandbox", "status", "--backend", process.platform === "darwin" ? "seatbelt" : "bubblewrap", "--json"]).stdout,
);
/** Why nothing confines here; with REQUIRE_CONFINEMENT=1 the tests run all the same and fail. */
const nothingConfines: string | undefined = process.env.REQUIRE_CONFINEMENT === "1" ? undefined : status.reason;
const onLinux = process.platform === "linux";
const { PATH = "" } = process.env;
const SLOW = { timeout: 180_000 };

/** A directory to be put first on PATH, with a bwrap in it that hands the real one something else than it was told. */
function sabotage(change: string): string {
	const directory = mkdtempSync(join(tmpdir(), "doctor-test-"));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	const file = join(directory, "bwrap");
	const real = `PATH='${PATH}' exec bwrap "$@"`;
	writeFileSync(file, `#!/bin/bash\n[ "$1" = --version ] && ${real}\nexec 3< <(perl -0777 -pe '${change}' <&3)\n${real}\n`);
	chmodSync(file, 0o755);
	return directory;
}

it.skipIf(nothingConfines !== undefined)(
	`sandbox doctor prints one row a check, counts them and ends with 0 where nothing failed (${nothingConfines ?? "confinement works here"})`,
	SLOW,
	() => {
		const { code, stdout, stderr } = cli(["sandbox", "doctor"], { env: { HOME: homedir() } });
		expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
		expect(stdout).toMatch(/^ +check +expected +seen$/m);
		expect(stdout).toMatch(/^ {2}ok +bash starts +works +works$/m);
		expect(stdout).toMatch(/^ {2}ok +reading a file at home +refused +(No such file or directory|Operation not permitted)$/m);
		const rows = (word: string): number => stdout.match(new RegExp(`^  ${word} `, "gm"))?.length ?? 0;
		expect(stdout).toMatch(/^\d+ ok, 0 failed, \d+ skipped\. (seatbelt|bubblewrap) keeps scripts here/m);
		expect(stdout).toContain(`\n${rows("ok")} ok, ${rows("FAILED")} failed, ${rows("skipped")} skipped.`);
	},
);

it.skipIf(!onLinux || nothingConfines !== undefined)(
	`sandbox doctor says what failed and what that means, and ends with 1, where a bwrap leaves the network open (Linux; ${nothingConfines ?? "confinement works here"})`,
	SLOW,
	() => {
		const env = { PATH: `${sabotage("s/(^|\\0)--unshare-net\\0/$1/")}:${PATH}`, HOME: homedir() };
		const { code, stdout } = cli(["sandbox", "doctor"], { env });
		expect(code).toBe(1);
		expect(stdout).toMatch(/^ {2}FAILED +TCP without the network +refused: Connection refused or Network is unreachable +it got through$/m);
		expect(stdout).toMatch(/^ {2}ok +reading a file at home/m);
		expect(stdout).toContain("\n  TCP without the network: Files could be sent away.\n");
		expect(stdout).toMatch(/^\d+ ok, [1-9]\d* failed, \d+ skipped\. Run no script here that you do not trust/m);
	},
);

it.runIf(onLinux)("sandbox doctor ends with 1 and says what to install where there is no bwrap (Linux)", () => {
	const without = { env: { PATH: "/nowhere" } };
	const { code, stdout } = cli(["sandbox", "doctor"], without);
	expect(code).toBe(1);
	expect(stdout).toMatch(/^Nothing was checked \(backend_missing\): .*Install the package "bubblewrap"/);
	expect(JSON.parse(cli(["sandbox", "doctor", "--json"], without).stdout)).toEqual({
		platform: "linux",
		backend: "bubblewrap",
		unavailable: { code: "backend_missing", message: expect.stringContaining("Install") },
		rows: [],
		isHealthy: false,
	});
});

it.runIf(onLinux)("sandbox doctor --backend of another platform ends with 1 and says which has it (Linux)", () => {
	const { code, stdout } = cli(["sandbox", "doctor", "--backend", "seatbelt", "--json"]);
	expect(code).toBe(1);
	expect(JSON.parse(stdout)).toMatchObject({
		backend: "seatbelt",
		unavailable: { code: "unsupported_platform", message: expect.stringContaining("only macOS has") },
	});
});

it("sandbox doctor takes no backend that confines nothing, which is wrong usage", () => {
	expect(cli(["sandbox", "doctor", "--backend", "none"])).toMatchObject({ code: 2, stderr: expect.stringContaining("seatbelt") });
});
