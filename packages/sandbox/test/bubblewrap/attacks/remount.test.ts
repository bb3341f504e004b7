import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { arena, call, EPERM, isRoot, outcomes } from "../arena.js";

const MS_REMOUNT_BIND = 32 | 4096;
const ALL = [
	'my $out = "$ENV{OUT}\\0"; my $in = "$ENV{IN}\\0"; my $none = "none\\0"; my $tmpfs = "tmpfs\\0"; my $r;',
	call("remount", "mount", "$none", "$in", "$none", MS_REMOUNT_BIND, 0),
	call("tmpfs", "mount", "$tmpfs", "$out", "$tmpfs", 0, 0),
	call("umount", "umount2", "$in", 2),
	call("fsopen", "fsopen", "$tmpfs", 0),
	call("open_tree", "open_tree", -100, "$in", 1),
	call("mount_setattr", "mount_setattr", -100, "$in", 0, "$in", 32),
	call("pivot_root", "pivot_root", "$out", "$out"),
	call("chroot", "chroot", "$out"),
	call("unshare", "unshare", 0x1002_0000),
	call("setns", "setns", 0, 0),
	call("clone", "clone", 0x1000_0011, 0, 0, 0, 0),
	'if (open(my $f, ">", "$ENV{IN}/new")) { print "wrote=0\\n" } else { print "wrote=", $! + 0, "\\n" }',
].join("\n");

describe.skipIf(noBubblewrap !== undefined)(`changing the mounts (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("is refused by every call that could, and the read-only directory stays so", async () => {
		const { confined, in: input } = arena();
		const result = await confined(ALL, { interpreter: "perl" });
		expect(outcomes(result)).toEqual({
			remount: EPERM,
			tmpfs: EPERM,
			umount: EPERM,
			fsopen: EPERM,
			open_tree: EPERM,
			mount_setattr: EPERM,
			pivot_root: EPERM,
			chroot: EPERM,
			unshare: EPERM,
			setns: EPERM,
			clone: EPERM,
			wrote: 30,
		});
		expect(existsSync(join(input, "new"))).toBe(false);
	});

	it("control: root in a box of bwrap's with capabilities and without a filter remounts the directory writable; an ordinary user's is locked by the kernel", () => {
		const { in: input } = arena();
		const attack = [
			'my $in = "$ENV{IN}\\0"; my $none = "none\\0"; my $r;',
			call("remount", "mount", "$none", "$in", "$none", MS_REMOUNT_BIND, 0),
			'if (open(my $f, ">", "$ENV{IN}/new")) { print "wrote=0\\n" } else { print "wrote=", $! + 0, "\\n" }',
		].join("\n");
		const box = ["--bind", "/", "/", "--dev", "/dev", "--ro-bind", input, input];
		const { stdout } = spawnSync("bwrap", [...box, "perl", "-e", attack], { encoding: "utf8", env: { ...process.env, IN: input } });
		expect(outcomes({ output: stdout })).toEqual(isRoot ? { remount: 0, wrote: 0 } : { remount: EPERM, wrote: 30 });
		expect(existsSync(join(input, "new"))).toBe(isRoot);
	});

	it.runIf(isRoot)(
		"does not reach the kernel's settings through /proc/sys, where root without confinement does (an ordinary user never does)",
		async () => {
			const swappiness = readFileSync("/proc/sys/vm/swappiness", "utf8").trim();
			const script = `echo ${swappiness} > /proc/sys/vm/swappiness && echo wrote; echo 1 > /proc/self/oom_score_adj && echo wrote own`;
			expect((await arena().unconfined(script)).output).toBe("wrote\nwrote own\n");
			const { output } = await arena().confined(script);
			expect(output.match(/Read-only file system/g)?.length).toBe(2);
			expect(output).not.toContain("wrote");
		},
	);
});
