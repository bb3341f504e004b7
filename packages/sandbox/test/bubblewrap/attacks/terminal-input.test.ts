import { describe, expect, it } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { arena, call, EPERM, numberOf, outcomes } from "../arena.js";

const TIOCSTI = 0x5412;
const EIO = 5;

/** A terminal of its own, made the controlling one, into which it types. */
const TYPE = [
	'use POSIX; $| = 1; $SIG{HUP} = "IGNORE"; my $r; POSIX::setsid(); open(my $m, "+<", "/dev/ptmx") or die "ptmx: $!";',
	'my $unlock = pack("i", 0); ioctl($m, 0x40045431, $unlock); my $n = pack("i", 0); ioctl($m, 0x80045430, $n);',
	'open(my $t, "+<", "/dev/pts/" . unpack("i", $n)) or die "pts: $!"; print "terminal=", (-t $t ? 0 : 1), "\\n";',
	'my $c = "x";',
	call("typed", "ioctl", "fileno($t)", TIOCSTI, "$c"),
	`$! = 0; $r = syscall(${numberOf("ioctl")}, fileno($t), 0x7700000000 | ${TIOCSTI}, $c); print "disguised=", ($r == -1 ? $! + 0 : 0), "\\n";`,
].join("\n");

describe.skipIf(noBubblewrap !== undefined)(`typing into a terminal with TIOCSTI (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("is refused, also with bits that the kernel drops, where it works outside, or the kernel has it switched off for all (EIO)", async () => {
		const control = outcomes(await arena().unconfined(TYPE, { interpreter: "perl" }));
		expect(control.terminal).toBe(0);
		expect([0, EIO]).toContain(control.typed);
		expect(outcomes(await arena().confined(TYPE, { interpreter: "perl" }))).toEqual({ terminal: 0, typed: EPERM, disguised: EPERM });
	});

	it("has no terminal of the host's to type into", async () => {
		const { output } = await arena().confined(
			"(exec 3<>/dev/tty) || true; ps -o tty= -p $$; [ -t 0 ] || [ -t 1 ] || [ -t 2 ] || echo no terminal",
		);
		expect(output).toMatch(/No such device or address/);
		expect(output).toMatch(/no terminal\n$/);
	});
});
