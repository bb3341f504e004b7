import { describe, expect, it } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { arena, call, EPERM, numberOf, outcomes } from "../arena.js";

const PTRACE_ATTACH = 16;
/** Into a child of its own, which nothing but the attack's being refused keeps it from. */
const TRACE = [
	"$| = 1; my $r; my $child = fork; if (!$child) { sleep 30; exit }",
	call("attach", "ptrace", PTRACE_ATTACH, "$child", 0, 0),
	'my $here = "x" x 16; my $local = pack("QQ", unpack("Q", pack("p", $here)), 16); my $remote = pack("QQ", unpack("Q", pack("p", $here)), 16);',
	`$! = 0; $r = syscall(${numberOf("process_vm_readv")}, $child, $local, 1, $remote, 1, 0); print "readv=", ($r == -1 ? $! + 0 : 0), "\\n";`,
	'print "mem=", (open(my $m, "+<", "/proc/$child/mem") ? 0 : $! + 0), "\\n";',
	"kill 'KILL', $child; waitpid $child, 0;",
].join("\n");

describe.skipIf(noBubblewrap !== undefined)(`looking into another process (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("is refused even for a child of the script's, where the same script without confinement attaches to it", async () => {
		const control = outcomes(await arena().unconfined(TRACE, { interpreter: "perl" }));
		expect(control).toEqual({ attach: 0, readv: 0, mem: 0 });
		const { confined } = arena();
		expect(outcomes(await confined(TRACE, { interpreter: "perl" }))).toEqual({ attach: EPERM, readv: EPERM, mem: 30 });
	});
});
