import { readdirSync, statSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { arena, call, EPERM, isRoot, numberOf, outcomes } from "../arena.js";

const O_CREAT_WRITE = 0o101;
const AT_FDCWD = -100;

/** Every call that can leave a file with the owner's or the group's identity, as Perl in which `$n` is its path and `$z` the same for the kernel. */
const CODE: Readonly<Record<string, (mode: number) => string>> = {
	chmod: (mode) => call("chmod", "chmod", "$z", mode),
	fchmod: (mode) => `open(F, ">", $n); ${call("fchmod", "fchmod", "fileno(F)", mode)}`,
	fchmodat: (mode) => call("fchmodat", "fchmodat", AT_FDCWD, "$z", mode),
	fchmodat2: (mode) => call("fchmodat2", "fchmodat2", AT_FDCWD, "$z", mode, 0),
	open: (mode) => `unlink $n; ${call("open", "open", "$z", O_CREAT_WRITE, mode)}`,
	openat: (mode) => `unlink $n; ${call("openat", "openat", AT_FDCWD, "$z", O_CREAT_WRITE, mode)}`,
	creat: (mode) => `unlink $n; ${call("creat", "creat", "$z", mode)}`,
	mknod: (mode) => `unlink $n; ${call("mknod", "mknod", "$z", 0o100000 | mode, 0)}`,
	mknodat: (mode) => `unlink $n; ${call("mknodat", "mknodat", AT_FDCWD, "$z", 0o100000 | mode, 0)}`,
};
/** On arm64 the calls without a directory do not exist, before Linux 6.6 fchmodat2 does not. */
const hasFchmodat2 =
	Number(
		release()
			.split(".")
			.slice(0, 2)
			.join(".")
			.replace(/\.(\d)$/, ".0$1"),
	) >= 6.06;
const WAYS = Object.keys(CODE).filter((way) => numberOf(way) >= 0 && (way !== "fchmodat2" || hasFchmodat2));

const attack = (mode: number): string =>
	WAYS.map((way) => `{ my $r; my $n = "$ENV{OUT}/${way}"; open(T, ">", $n); close T; my $z = "$n\\0"; ${CODE[way]?.(mode)} }`).join("\n");

const marked = (out: string): readonly string[] => readdirSync(out).filter((name) => (statSync(join(out, name)).mode & 0o6000) !== 0);

describe.skipIf(noBubblewrap !== undefined)(`leaving a setuid file on the host (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it.each([0o4755, 0o2755, 0o6755])(
		"with mode %i is refused by every call, where the same script without confinement leaves one by each",
		async (mode) => {
			const control = arena();
			await control.unconfined(attack(mode), { interpreter: "perl" });
			expect(marked(control.out)).toEqual([...WAYS].sort());

			const host = arena();
			const result = outcomes(await host.confined(attack(mode), { interpreter: "perl" }));
			expect(result).toEqual(Object.fromEntries(WAYS.map((way) => [way, EPERM])));
			expect(marked(host.out)).toEqual([]);
		},
	);

	it("is refused to chmod, install and cp, which say so", async () => {
		const { confined, out } = arena();
		const script = 'cd "$OUT"; cp /bin/sh shell; chmod u+s shell; chmod 4755 own; install -m 4755 own other; mkdir -m 2775 d; true';
		const { output } = await confined(script);
		expect(output.match(/Operation not permitted/g)?.length).toBeGreaterThanOrEqual(4);
		expect(marked(out)).toEqual([]);
	});

	it("cannot be had by a file capability either: the script has none to give", async () => {
		const capability = 'pack("L<5", 0x02000001, 0xffffffff, 0, 0, 0)';
		const setxattr = process.arch === "x64" ? 188 : 5;
		const script = `my $n = "$ENV{OUT}/own\\0"; my $k = "security.capability\\0"; my $v = ${capability}; my $r = syscall(${setxattr}, $n, $k, $v, 20, 0); print "set=", ($r == -1 ? $! + 0 : 0), "\\n";`;
		if (isRoot) expect(outcomes(await arena().unconfined(script, { interpreter: "perl" }))).toEqual({ set: 0 });
		expect(outcomes(await arena().confined(script, { interpreter: "perl" }))).toEqual({ set: EPERM });
	});

	it("control: other modes can be set, and a mode that open does not look at is nobody's concern", async () => {
		const script = `my $r; my $n = "$ENV{OUT}/own\\0"; ${call("chmod", numberOf("chmod") >= 0 ? "chmod" : "fchmodat", ...(numberOf("chmod") >= 0 ? ["$n", 0o1711] : [AT_FDCWD, "$n", 0o1711]))} ${call("read", "openat", AT_FDCWD, "$n", 0, 0o6777)}`;
		const { confined, out } = arena();
		expect(outcomes(await confined(script, { interpreter: "perl" }))).toEqual({ chmod: 0, read: 0 });
		expect(statSync(join(out, "own")).mode & 0o7777).toBe(0o1711);
	});
});
