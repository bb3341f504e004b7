import { Capabilities, type CapabilitiesInit } from "@robot-lab/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BubblewrapHost } from "../../src/bubblewrap/bubblewrap-host.js";
import { type MountPlan, planMounts } from "../../src/bubblewrap/mount-plan.js";
import { pretendLinux } from "./pretend-linux.js";

interface Asked extends CapabilitiesInit {
	readonly cwd?: string;
	readonly skillDir?: string;
	readonly scratchDir?: string;
	readonly protect?: boolean;
	readonly host?: Partial<BubblewrapHost>;
}

function plan({ cwd = "/home/u/work", skillDir = "/skills/s", scratchDir, protect = true, host = {}, ...grant }: Asked): MountPlan {
	return planMounts({ grant: new Capabilities(grant), skillDir, cwd, scratchDir, protect, host: pretendLinux(host) });
}
const shown = (asked: Asked): readonly string[] =>
	plan(asked).mounts.map((mount) => `${mount.kind} ${mount.path}${mount.kind === "link" ? ` -> ${mount.target}` : ""}`);
const exist = (...paths: string[]): Partial<BubblewrapHost> => ({ existing: new Set(["/skills/s", ...paths]) });

describe("planMounts()", () => {
	it("gives a script without a grant the system, its skill, an empty /tmp and home, and nothing else", () => {
		expect(shown({})).toEqual([
			"empty /tmp",
			"read /usr",
			"empty /home/u",
			"read /skills/s",
			"read /etc/hosts",
			"link /etc/localtime -> /usr/share/zoneinfo/UTC",
			"directory /home/u/work",
			"accounts /etc/passwd",
			"accounts /etc/group",
			"link /bin -> usr/bin",
			"link /lib -> usr/lib",
		]);
	});

	it("binds /bin and /lib where they are directories of their own", () => {
		const systemDirectories = new Map([
			["/usr", undefined],
			["/bin", undefined],
			["/lib", undefined],
		]);
		expect(shown({ host: { systemDirectories } })).toEqual(expect.arrayContaining(["read /bin", "read /lib", "read /usr"]));
	});

	it("mounts shallow before deep, whatever the order of the grant, and a path in both lists writable", () => {
		const host = exist("/a", "/a/b", "/a/b/c");
		const mounts = shown({ fsRead: ["/a/b/c", "/a"], fsWrite: ["/a/b", "/a/b/c"], protect: false, host }).filter((line) =>
			/\/a/.test(line),
		);
		expect(mounts).toEqual(["read /a", "write /a/b"]);
		const paths = fc.shuffledSubarray(["/a", "/a/b", "/a/b/c"]);
		fc.assert(
			fc.property(paths, paths, (fsRead, fsWrite) => {
				const ordered = shown({ fsRead: [...fsRead].sort(), fsWrite: [...fsWrite].sort(), host });
				expect(shown({ fsRead, fsWrite, host })).toEqual(ordered);
			}),
		);
	});

	it("pins the directories above something read-only in a writable place, so that they cannot be renamed", () => {
		const host = exist("/w", "/w/.git/hooks", "/w/deep/er/fixed");
		const mounts = shown({ fsRead: ["/w/deep/er/fixed"], fsWrite: ["/w"], host }).filter((line) => line.includes(" /w"));
		expect(mounts).toEqual([
			"write /w",
			"write /w/.git",
			"write /w/deep",
			"read /w/.git/hooks",
			"write /w/deep/er",
			"read /w/deep/er/fixed",
		]);
	});

	it("protects nothing that the grant names itself, and nothing at all without protect", () => {
		const host = exist("/w", "/w/.git/hooks", "/w/.git/config");
		expect(shown({ fsWrite: ["/w", "/w/.git/hooks"], host }).filter((line) => line.startsWith("read /w"))).toEqual(["read /w/.git/config"]);
		expect(shown({ fsWrite: ["/w"], protect: false, host }).filter((line) => line.includes("/w/"))).toEqual([]);
	});

	it("protects the rest of a path of which the grant names the beginning", () => {
		const host = exist("/w/.git", "/w/.git/hooks", "/w/.git/config");
		expect(shown({ fsWrite: ["/w/.git"], host }).filter((line) => line.startsWith("read /w"))).toEqual([
			"read /w/.git/config",
			"read /w/.git/hooks",
		]);
	});

	it("says which names cannot be protected because they do not exist", () => {
		const { notes } = plan({ fsWrite: ["/w"], host: exist("/w", "/w/.bashrc") });
		expect(notes).toEqual([expect.stringMatching(/^In "\/w" a script can make these.*\.envrc/)]);
		expect(notes[0]).not.toMatch(/ \.bashrc/);
		expect(plan({ scratchDir: "/tmp/x" }).notes).toEqual([]);
	});

	it("makes no file, directory or link in a place of the host's: not in what is granted for writing", () => {
		const host = { ...exist("/etc", "/tmp", "/home", "/w"), links: new Map([["/w/alias", "/x"]]) };
		const made = plan({ fsWrite: ["/etc", "/tmp", "/w"], fsRead: ["/home"], host }).mounts.filter(
			({ kind }) => kind !== "read" && kind !== "write",
		);
		expect(made.map(({ path }) => path)).toEqual(["/bin", "/lib"]);
	});

	it("writes no account into a file of the host's that is granted by itself", () => {
		expect(shown({ fsWrite: ["/etc/passwd"], host: exist("/etc/passwd") }).filter((line) => line.startsWith("accounts"))).toEqual([
			"accounts /etc/group",
		]);
	});

	it("gives what is granted under other spellings by links, and none below /proc and /dev", () => {
		const links = new Map([
			["/data", "/mnt/data"],
			["/proc/self", "4711"],
			["/usr/lib/x", "y"],
		]);
		expect(shown({ fsRead: ["/mnt/data"], host: { ...exist("/mnt/data"), links } }).filter((line) => line.startsWith("link"))).toEqual([
			"link /etc/localtime -> /usr/share/zoneinfo/UTC",
			"link /bin -> usr/bin",
			"link /data -> /mnt/data",
			"link /lib -> usr/lib",
		]);
	});

	it("leaves out a path to read that does not exist", () => {
		expect(shown({ fsRead: ["/nowhere"] })).toEqual(shown({}));
	});

	it("reads a home that is granted, and never makes the home readable for an interpreter", () => {
		expect(shown({ fsRead: ["/home/u"], host: exist("/home/u") })).toContain("read /home/u");
		const host = {
			...exist("/home/u", "/home/u/.pyenv/versions/3.1"),
			toolRoots: ["/home/u", "/home", "/", "/home/u/.pyenv/versions/3.1"],
		};
		expect(shown({ host }).filter((line) => /home/.test(line))).toEqual([
			"empty /home/u",
			"read /home/u/.pyenv/versions/3.1",
			"directory /home/u/work",
		]);
	});

	it.each([
		["invalid_grant", { fsWrite: ["/"] }],
		["invalid_grant", { fsWrite: ["/home"], host: exist("/home") }],
		["invalid_grant", { skillDir: "/home/u" }],
		["invalid_grant", { skillDir: "/" }],
		["invalid_grant", { fsRead: ["/a\nb"] }],
		["invalid_grant", { fsRead: [`/${"x".repeat(1001)}`] }],
		["grant_not_expressible", { fsWrite: ["/nowhere"] }],
		["grant_not_expressible", { fsRead: ["/proc"] }],
		["grant_not_expressible", { fsRead: ["/proc/1/environ"] }],
		["grant_not_expressible", { fsWrite: ["/dev/sda"] }],
		["grant_not_expressible", { fsRead: ["/dev/shm"] }],
	] as const)("refuses with %s: %j", (code, asked) => {
		expect(() => plan(asked as Asked)).toThrow(expect.objectContaining({ name: "SandboxUnavailableError", code }));
	});

	it("takes devices that every script has for granted, and directories of shared memory for what they are", () => {
		expect(shown({ fsWrite: ["/dev/null"], host: exist("/dev/null") })).toEqual(shown({}));
		expect(shown({ fsWrite: ["/dev/shm/x"], host: exist("/dev/shm/x") })).toContain("write /dev/shm/x");
	});
});
