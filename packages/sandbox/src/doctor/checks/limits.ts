import { type Check, EVERYWHERE } from "../check.js";
import { byName } from "../programs.js";

const MIB = 1024 * 1024;

const ALLOCATE = `my $x = "x" x ${200 * MIB}; print "THROUGH\\n";`;
/** Without the signal's default, which says nothing that is the same everywhere. */
const FILL = `$SIG{XFSZ} = "IGNORE"; open(my $f, ">", "$ENV{OUT}/big") or die "open: $!"; my $x = "x" x ${MIB};
for (1 .. 2) { my $n = syswrite($f, $x); if (!$n) { print "write: $!\\n"; exit 1 } }
print "THROUGH\\n";`;
const COMPUTE = `$SIG{XCPU} = sub { print "told to end\\n"; exit 1 }; 1 while (times)[0] + (times)[1] < 1.4; print "THROUGH\\n";`;
/** Each waits for the end of a pipe that closes with the first of them. */
const MULTIPLY = `pipe(my $read, my $write); my @children;
for (1 .. 8) { my $child = fork; if (!defined $child) { print "fork: $!\\n"; last }
if (!$child) { close $write; <$read>; exit } push @children, $child }
print "THROUGH\\n" if @children == 8; close $write; waitpid $_, 0 for @children;`;

const beyond = (check: Pick<Check, "name" | "why" | "script" | "says" | "limits"> & Partial<Check>): Check => ({
	platforms: EVERYWHERE,
	expect: "refused",
	run: byName("perl"),
	...check,
});

/** Where a limit cannot be held here, scripts that have one are not run, and neither is the check. */
export const LIMITS: readonly Check[] = [
	beyond({
		name: "more memory than the limit",
		why: "A script could have what the whole computer has.",
		platforms: ["linux"],
		limits: { memoryMb: 100 },
		script: ALLOCATE,
		says: { linux: ["Out of memory"] },
	}),
	beyond({
		name: "a larger file than the limit",
		why: "A script could fill the disk with a file.",
		limits: { fileSizeMb: 1 },
		script: FILL,
		says: { darwin: ["File too large"], linux: ["File too large"] },
	}),
	beyond({
		name: "more processor time than the limit",
		why: "A script could take all of it until its time is up.",
		limits: { cpuSeconds: 1 },
		script: COMPUTE,
		says: { darwin: ["told to end"], linux: ["told to end"] },
	}),
	beyond({
		name: "more processes than the limit",
		why: "A script could start as many as the computer has.",
		platforms: ["linux"],
		// Not for root, and not before Linux 5.14.
		optional: true,
		limits: { processes: 4 },
		script: MULTIPLY,
		says: { linux: ["Resource temporarily unavailable"] },
	}),
];
