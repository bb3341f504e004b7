import { describe, expect, it } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { arena, call, ENOSYS, EPERM, outcomes } from "../arena.js";

/** Calls with arguments that the kernel finds fault with, in another way than EPERM, before it does anything. */
const PROBES = [
	'my $r; my $buffer = "\\0" x 128;',
	call("keyctl", "keyctl", 0, -3, 0),
	call("add_key", "add_key", 0, 0, 0, 0, 0),
	call("request_key", "request_key", 0, 0, 0, 0),
	call("io_uring", "io_uring_setup", 0, 0),
	call("userfaultfd", "userfaultfd", 0x7fffffff),
	call("perf", "perf_event_open", 0, 0, 0, 0, 0),
	call("bpf", "bpf", 9999, "$buffer", 128),
	call("module", "finit_module", -1, 0, 0),
	call("kexec", "kexec_file_load", -1, -1, 0, 0, 0),
	call("vsock", "socket", 40, 1, 0),
	call("packet", "socket", 17, 3, 0),
	call("alg", "socket", 38, 5, 0),
	call("clone3", "clone3", "$buffer", 128),
	call("openat2", "openat2", -100, 0, "$buffer", 24),
	'$! = 0; $r = syscall(9999); print "unknown=", $! + 0, "\\n";',
	'$! = 0; $r = syscall(0x40000000 | 39); print "x32=", ($r > 0 ? "ran" : $! + 0), "\\n";',
].join("\n");

describe.skipIf(noBubblewrap !== undefined)(`parts of the kernel that no script needs (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("are not there, whatever they are asked, where they answer without confinement or the kernel itself has none", async () => {
		const control = outcomes(await arena().unconfined(PROBES, { interpreter: "perl" }));
		expect(control.keyctl).toBe(0);
		expect(control.request_key).not.toBe(EPERM);
		expect(control.clone3).not.toBe(ENOSYS);
		expect(outcomes(await arena().confined(PROBES, { interpreter: "perl" }))).toEqual({
			keyctl: EPERM,
			add_key: EPERM,
			request_key: EPERM,
			io_uring: EPERM,
			userfaultfd: EPERM,
			perf: EPERM,
			bpf: EPERM,
			module: EPERM,
			kexec: EPERM,
			vsock: EPERM,
			packet: EPERM,
			alg: EPERM,
			clone3: ENOSYS,
			openat2: ENOSYS,
			unknown: ENOSYS,
			x32: ENOSYS,
		});
	});

	it("has no capability and cannot get one: all sets are empty, no new privileges, a filter, no root", async () => {
		const { output } = await arena().confined(
			"grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status; id -u; cat /proc/sys/user/max_user_namespaces",
		);
		expect(output).toMatch(/CapInh:\t0+\nCapPrm:\t0+\nCapEff:\t0+\nCapBnd:\t0+\nCapAmb:\t0+\nNoNewPrivs:\t1\nSeccomp:\t2\n[1-9]\d*\n/);
	});
});
