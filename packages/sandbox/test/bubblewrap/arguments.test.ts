import { Capabilities } from "@robot-lab/core";
import { describe, expect, it } from "vitest";
import { bubblewrapArguments } from "../../src/bubblewrap/arguments.js";
import { Bubblewrap } from "../../src/bubblewrap/bubblewrap.js";
import { planMounts } from "../../src/bubblewrap/mount-plan.js";
import { pretendLinux } from "./pretend-linux.js";

const EVERYTHING = { disableUserns: true, size: true };

function args({ network = false, features = EVERYTHING, fsRead = [] as string[], fsWrite = [] as string[] } = {}): string {
	const host = pretendLinux({ existing: new Set(["/skills/s", "/", "/data"]) });
	const grant = new Capabilities({ network, fsRead, fsWrite });
	const plan = planMounts({ grant, skillDir: "/skills/s", cwd: "/work", scratchDir: "/tmp/scratch", protect: true, host });
	return bubblewrapArguments({ plan, host, network, cwd: "/work", environment: { PATH: "/usr/bin", USER: "root" }, features }).join(" ");
}

describe("bubblewrapArguments()", () => {
	it("are these", () => {
		expect(args({ fsWrite: ["/data"] })).toBe(
			[
				"--unshare-user --uid 1001 --gid 100 --disable-userns --unshare-pid --as-pid-1 --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net",
				"--cap-drop ALL --new-session --die-with-parent",
				"--clearenv --setenv PATH /usr/bin --setenv USER u --setenv LOGNAME u",
				"--proc /proc --dev /dev --perms 1777 --size 268435456 --tmpfs /dev/shm",
				"--bind /data /data --perms 1777 --size 268435456 --tmpfs /tmp --ro-bind /usr /usr",
				"--perms 0700 --size 268435456 --tmpfs /home/u --ro-bind /skills/s /skills/s --bind /tmp/scratch /tmp/scratch",
				"--ro-bind /etc/hosts /etc/hosts --symlink /usr/share/zoneinfo/UTC /etc/localtime --dir /work",
				"--perms 0444 --file 6 /etc/passwd --perms 0444 --file 7 /etc/group --symlink usr/bin /bin --symlink usr/lib /lib",
				"--remount-ro /proc --remount-ro /dev --remount-ro / --chdir /work --seccomp 4",
			].join(" "),
		);
	});

	it("keep the network's namespace only with the grant", () => {
		expect(args({ network: true })).not.toContain("--unshare-net");
		expect(args({ network: true })).toContain("--unshare-user");
	});

	it("leave out what an older bwrap does not know", () => {
		const old = args({ features: { disableUserns: false, size: false } });
		expect(old).not.toMatch(/--disable-userns|--size/);
		expect(old).toContain("--perms 1777 --tmpfs /tmp");
	});

	it("mount the whole disk, when it is granted for reading, before /proc and /dev", () => {
		const text = args({ fsRead: ["/"] });
		expect(text.indexOf("--ro-bind / /")).toBeGreaterThan(0);
		expect(text.indexOf("--ro-bind / /")).toBeLessThan(text.indexOf("--proc /proc"));
		expect(text.replace("--tmpfs /dev/shm", "")).not.toMatch(/--tmpfs|--file|--symlink|--dir/);
	});
});

describe("Bubblewrap", () => {
	it("is a pure function of its options and a host: the same arguments for a grant in any order", () => {
		const make = (fsRead: string[]): readonly string[] =>
			new Bubblewrap(new Capabilities({ fsRead }), {
				skillDir: "/skills/s",
				cwd: "/work",
				environment: { PATH: "/usr/bin" },
				bubblewrapHost: pretendLinux({ existing: new Set(["/skills/s", "/a", "/b"]) }),
			}).arguments;
		expect(make(["/a", "/b"])).toEqual(make(["/b", "/a"]));
		expect(make(["/a", "/b"])).toContain("/a");
	});

	it("rejects wrap() with the probe's reason, and cleanup() may be called at any time and twice", async () => {
		const probe = async () => ({ ok: false, code: "backend_missing", message: "there is none." }) as const;
		const strategy = new Bubblewrap(new Capabilities(), { skillDir: "/skills/s", probe });
		await strategy.cleanup();
		await expect(strategy.wrap(["bash"])).rejects.toMatchObject({ name: "SandboxUnavailableError", code: "backend_missing" });
		await strategy.cleanup();
		await strategy.cleanup();
	});
});
