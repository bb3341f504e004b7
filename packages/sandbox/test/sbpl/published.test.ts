import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { evaluateProfile, type ProfileParams, type ProfileQuery } from "../../src/sbpl/index.js";
import { compileRules } from "../../src/sbpl/rules.js";
import { lastMatchWins } from "./last-match-wins.js";

const FIXTURES = new URL("../fixtures/published/", import.meta.url);

/**
 * An operation, what it is about, what macOS decides, and a part of the one rule that decides it. "measured": a test, an issue or a
 * comment of the project shows this very decision on a Mac, with paths of its own. The others follow for the same profile, so that
 * both answers and the edges are there.
 */
type Decision = readonly [operation: string, about: string | ProfileQuery, allowed: boolean, rule: string, source?: "measured"];

interface Published {
	readonly params?: ProfileParams;
	readonly decisions: readonly Decision[];
	/** How many of the decisions "the last match wins" gets wrong. */
	readonly wrongIfLastMatchWon: number;
}

const tcp = (remote: string, local = "10.0.0.2:50000"): ProfileQuery => ({ remote, local });
const BOX = "/private/tmp/box";
const CODEX_ROOT = '/Users/u/a "quoted" (dir) #"x';

const PUBLISHED: Readonly<Record<string, Published>> = {
	mxc: {
		decisions: [
			["file-write-create", `${BOX}/a`, true, 'network-outbound (subpath "/private/tmp/box"))', "measured"],
			["file-read-data", `${BOX}/frozen/a`, true, '(allow file-read* (subpath "/private/tmp/box/frozen"))'],
			[
				"file-write-create",
				`${BOX}/frozen/a`,
				false,
				'(deny file-write* network-bind network-outbound (subpath "/private/tmp/box/frozen"))',
			],
			["file-write-data", `${BOX}/frozen/build/o`, true, '(subpath "/private/tmp/box/frozen/build"))'],
			["file-read-data", `${BOX}/secret/key`, false, '(subpath "/private/tmp/box/secret"))'],
			[
				"network-outbound",
				`${BOX}/frozen/s.sock`,
				false,
				'(deny file-write* network-bind network-outbound (subpath "/private/tmp/box/frozen"))',
				"measured",
			],
			["network-outbound", `${BOX}/secret/docker.sock`, false, '(subpath "/private/tmp/box/secret"))'],
			[
				"network-bind",
				`${BOX}/frozen/s.sock`,
				false,
				'(deny file-write* network-bind network-outbound (subpath "/private/tmp/box/frozen"))',
			],
			["network-bind", `${BOX}/pipe.sock`, true, 'network-outbound (subpath "/private/tmp/box"))', "measured"],
			["network-outbound", tcp("93.184.216.34:443"), true, "(allow network-outbound)", "measured"],
			["network-inbound", { local: "127.0.0.1:8080" }, true, "(allow network-inbound (local ip))", "measured"],
			["network-bind", { local: "127.0.0.1:8080" }, true, "(allow network-inbound (local ip))", "measured"],
			["file-read-data", "/private/etc/passwd", false, "(deny default)", "measured"],
		],
		wrongIfLastMatchWon: 3,
	},
	"mxc-bind": {
		decisions: [
			["network-bind", { local: "127.0.0.1:8080" }, true, "(allow network-bind (local ip))", "measured"],
			["network-inbound", { local: "127.0.0.1:8080" }, false, "(deny default)", "measured"],
			["network-outbound", tcp("127.0.0.1:8080"), true, "localhost:8080"],
			["network-outbound", tcp("93.184.216.34:8080"), false, "(deny default)"],
			["network-outbound", tcp("[::ffff:127.0.0.1]:8080"), false, "(deny default)"],
		],
		wrongIfLastMatchWon: 0,
	},
	homebrew: {
		decisions: [
			["file-write-create", "/private/tmp/build/a", true, '(allow file-write* (subpath "/private/tmp/build"))', "measured"],
			["file-write-create", "/opt/pkg/bin/a", false, "(deny file-write*)", "measured"],
			["file-write-unlink", "/opt/pkg/bin/a", false, "(deny file-write*)"],
			["file-write-mode", "/private/tmp/build/a", true, "(allow file-write-mode", "measured"],
			["file-write-setugid", "/private/tmp/build/a", true, "(allow file-write-setugid", "measured"],
			["file-write-create", "/opt/pkg/var/a", true, '(subpath "/opt/pkg/var"))'],
			["file-write-mode", "/opt/pkg/var/a", false, "(deny file-write-mode)"],
			["file-write-setugid", "/opt/pkg/var/a", false, "(deny file-write-setugid)"],
			["file-write-data", "/dev/fd/12", true, '(literal "/dev/null")'],
			["file-write-data", "/dev/fd/x", false, "(deny file-write*)"],
			["file-write-data", "/private/var/folders/ab/cd/T/x", true, "[C,T]"],
			["file-write-data", "/private/var/folders/ab/cd/X/x", false, "(deny file-write*)"],
			["file-read-data", "/Users/u/x", true, "(allow default)"],
			["network-outbound", tcp("93.184.216.34:443"), true, "(allow default)"],
			["process-exec*", "/bin/ps", true, "(with no-sandbox)"],
		],
		wrongIfLastMatchWon: 6,
	},
	srt: {
		decisions: [
			["file-read-data", "/Users/u/notes", true, "(allow file-read*)"],
			["file-read-data", "/Users/u/.aws/credentials", false, '(deny file-read* (subpath "/Users/u/.aws")', "measured"],
			["file-read-data", "/Users/u/deep/er/server.pem", false, "pem", "measured"],
			["file-read-data", "/Users/u/server.pem.txt", true, "(allow file-read*)"],
			["file-write-unlink", "/Users/u/.aws/credentials", false, '(deny file-write-unlink (subpath "/Users/u/.aws")', "measured"],
			["file-write-unlink", "/Users/u/.aws", false, '(deny file-write-unlink (subpath "/Users/u/.aws")', "measured"],
			["file-write-unlink", "/Users/u", false, '(deny file-write-unlink (literal "/Users/u")', "measured"],
			["file-write-unlink", "/Users/u/notes", true, '(allow file-write* (subpath "/Users/u")'],
			["file-write-create", "/Users/u/project/.git/hooks/pre-push", false, "hooks", "measured"],
			["file-write-create", "/Users/u/project/.git/HEAD", true, '(allow file-write* (subpath "/Users/u")'],
			["file-write-create", "/private/etc/x", false, "(deny default"],
			["sysctl-read", { name: "hw.perflevel0.name" }, true, "hw.ncpu"],
			["sysctl-read", { name: "kern.hostname" }, false, "(deny default"],
			["ipc-posix-sem-open", { name: "/mp-1" }, true, "(allow ipc-posix-sem)"],
			["network-outbound", tcp("127.0.0.1:3128"), true, "localhost:3128"],
			["network-outbound", tcp("127.0.0.1:3129"), false, "(deny default"],
			["system-socket", { socketDomain: "AF_SYSTEM", socketProtocol: 2 }, true, "AF_SYSTEM"],
			["system-socket", { socketDomain: "AF_INET", socketProtocol: 6 }, false, "(deny default"],
		],
		wrongIfLastMatchWon: 3,
	},
	codex: {
		params: { ROOT: CODEX_ROOT, EXCLUDED: `${CODEX_ROOT}/.git` },
		decisions: [
			["file-write-create", `${CODEX_ROOT}/a`, true, 'param "ROOT"', "measured"],
			["file-write-create", `${CODEX_ROOT}/.git`, false, "(deny default)"],
			["file-write-data", `${CODEX_ROOT}/.git/config`, false, "(deny default)", "measured"],
			["file-write-data", `${CODEX_ROOT}/.github/x`, true, 'param "ROOT"'],
			["file-write-create", `${CODEX_ROOT}/deep/.codex/config.toml`, false, "(deny default)", "measured"],
			["file-write-data", { path: "/dev/null", vnodeType: "CHARACTER-DEVICE" }, true, "/dev/null"],
			["file-write-data", { path: "/dev/null", vnodeType: "REGULAR-FILE" }, false, "(deny default)"],
			["file-write-data", "/dev/ttys004", false, "(deny default)"],
			["file-write-data", { path: "/dev/ttys004", extensions: ["com.apple.sandbox.pty"] }, true, "com.apple.sandbox.pty"],
			["file-read-data", "/Users/u/.ssh/id", true, "(allow file-read*)"],
			["signal", { target: "same-sandbox" }, true, "(allow signal"],
			["signal", { target: "others" }, false, "(deny default)"],
		],
		wrongIfLastMatchWon: 0,
	},
	"agent-safehouse": {
		decisions: [
			["file-read-data", "/private/tmp/a", true, '(allow file-read* file-write* (subpath "/private/tmp"))'],
			["file-read-data", "/private/tmp/secret/a", false, '(subpath "/private/tmp/secret"))'],
			["file-read-metadata", "/private/tmp/secret/a", true, "(allow file-read-metadata"],
			["file-write-data", "/private/tmp/com.apple.launchd.x/Listeners", false, "(deny file-read* file-write* file-read-metadata"],
			["file-read-data", "/private/tmp/com.apple.launchd.x/Listeners", true, 'Listeners"))'],
			[
				"file-read-metadata",
				"/private/tmp/com.apple.launchd.x/Listeners",
				false,
				"(deny file-read* file-write* file-read-metadata",
				"measured",
			],
			["network-outbound", "/private/var/run/mDNSResponder", true, "mDNSResponder", "measured"],
			["network-outbound", "/private/var/run/docker.sock", false, "(deny default)"],
			["network-outbound", "/private/tmp/com.apple.launchd.x/Listeners", false, "(deny network-outbound"],
			["network-outbound", tcp("udp://1.1.1.1:53"), true, "(allow network-outbound (remote ip))"],
			["network-bind", { local: "0.0.0.0:80" }, true, "(allow network-inbound (local ip))"],
		],
		wrongIfLastMatchWon: 3,
	},
	"agent-sandbox-nix": {
		params: { CWD: "/private/tmp/work" },
		decisions: [
			["sysctl-read", { name: "hw.ncpu" }, true, "(allow sysctl-read)"],
			["sysctl-read", { name: "kern.procargs2" }, false, "(deny sysctl-read", "measured"],
			["sysctl-read", { name: "kern.proc.pid.1" }, false, "(deny sysctl-read"],
			["sysctl-read", { name: "kern.procname" }, true, "(allow sysctl-read)"],
			["file-read-data", "/System/Library/x", true, '(subpath "/System"))'],
			["file-read-data", "/System/Volumes/Data/Users/u/.ssh/id", false, '(subpath "/System/Volumes"))', "measured"],
			["file-read-data", "/Library/Preferences/x.plist", false, "(deny default)", "measured"],
			["network-outbound", "/private/tmp/other/s.sock", false, "(deny network-outbound (remote unix-socket))", "measured"],
			["network-outbound", "/private/tmp/work/s.sock", true, "(allow network-outbound network-bind", "measured"],
			["network-outbound", "/private/tmp/work/nested-ro/s.sock", true, "(allow network-outbound network-bind", "measured"],
			["network-bind", "/private/tmp/work/nested-ro/s.sock", false, "(deny network-bind", "measured"],
			["network-outbound", tcp("93.184.216.34:443"), true, "(allow network*)"],
			["mach-lookup", { name: "com.apple.system.logger" }, true, "(allow mach-lookup"],
			["mach-lookup", { name: "com.apple.pasteboard.1" }, false, "(deny default)"],
			["file-write-create", "/private/tmp/work/.git/hooks/x", false, "/.git/hooks"],
			["file-write-create", "/private/tmp/work/.git/index", true, "(allow file-read* file-write*"],
		],
		wrongIfLastMatchWon: 0,
	},
	nix: {
		params: { _GLOBAL_TMP_DIR: "/private/tmp/nix-build" },
		decisions: [
			["file-write-create", "/private/tmp/nix-build/a", true, "_GLOBAL_TMP_DIR"],
			["file-write-setugid", "/private/tmp/nix-build/a", false, "(deny file-write-setugid)"],
			["file-write-create", "/private/tmp/other", false, "(deny default)"],
			["file-read-data", "/private/tmp", false, "(deny default)"],
			["file-read-metadata", "/dev", true, "(allow file-read-metadata"],
			["file-read-data", "/dev", false, "(deny default)"],
			["file-write-data", "/dev/ttys01", true, '(literal "/dev/null")'],
			["signal", { target: "same-sandbox" }, true, "(allow signal"],
			["signal", { target: "others" }, false, "(deny default)"],
			["mach-lookup", { name: "com.apple.system.opendirectoryd.libinfo" }, true, "(allow mach-lookup"],
			["network-outbound", "/private/tmp/nix-build/s", true, "_GLOBAL_TMP_DIR"],
			["network-outbound", "/private/var/run/mDNSResponder", true, "mDNSResponder"],
			["network-outbound", "/private/var/run/docker.sock", false, "(deny default)"],
			["network-outbound", tcp("udp://127.0.0.1:53"), true, "(allow network* (local ip)"],
			["ipc-posix-shm-write-create", { name: "x" }, true, "(allow ipc-posix*)"],
			["process-exec*", "/bin/ls", false, "(deny default)"],
		],
		wrongIfLastMatchWon: 1,
	},
	bazel: {
		decisions: [
			["file-write-create", "/private/tmp/execroot/a", true, "execroot"],
			["file-write-create", "/Users/u/a", false, "(deny file-write*)"],
			["file-read-data", "/Users/u/a", true, "(allow default)"],
			["file-read-data", "/Users/u/hidden/a", false, "hidden"],
			["network-outbound", tcp("93.184.216.34:443"), false, "(deny network*)"],
			["network-outbound", tcp("127.0.0.1:443"), true, "(allow network* (remote ip"],
			["network-outbound", "/private/tmp/s.sock", true, "(allow network* (remote unix-socket))"],
			["network-inbound", { remote: "93.184.216.34:50000", local: "127.0.0.1:80" }, true, "(allow network* (local ip"],
			["network-inbound", { remote: "93.184.216.34:50000", local: "10.0.0.2:80" }, false, "(deny network*)"],
			["process-exec*", "/bin/ls", true, "(allow default)"],
		],
		wrongIfLastMatchWon: 0,
	},
	swiftpm: {
		decisions: [
			["file-write-create", "/private/tmp/package/a", true, "TemporaryItems", "measured"],
			["file-write-create", "/private/var/folders/ab/cd/T/TemporaryItems/a", true, "TemporaryItems", "measured"],
			["file-write-create", "/Users/u/a", false, "(deny default)", "measured"],
			["file-write-unlink", "/Users/u/a", false, "(deny default)", "measured"],
			["file-write-create", "/private/tmp/package/ShouldBeReadOnly/a", false, 'ShouldBeReadOnly"))', "measured"],
			["file-write-create", "/private/tmp/package/ShouldBeReadOnly/ShouldBeWritable/a", true, "ShouldBeWritable", "measured"],
			["file-read-data", "/Users/u/a", true, "(allow file-read*)", "measured"],
			["process-exec*", "/Users/u/a", true, "(allow process*)", "measured"],
			["network-outbound", tcp("127.0.0.1:0"), false, "(deny default)", "measured"],
		],
		wrongIfLastMatchWon: 0,
	},
	chromium: {
		params: { BUNDLE_PATH: "/Applications/B.app", BUNDLE_ID: "com.example.browser" },
		decisions: [
			["file-read-data", "/Applications/B.app/x", true, "BUNDLE_PATH"],
			["file-read-data", "/private/etc/passwd", false, "(deny default"],
			["file-read-metadata", "/etc", true, "(allow file-read-metadata"],
			["file-read-data", "/etc", false, "(deny default"],
			["mach-lookup", { name: "com.example.browser.port" }, true, "BUNDLE_ID"],
			["mach-lookup", { name: "com.apple.pasteboard.1" }, false, "(deny default"],
			["process-info-pidinfo", { target: "self" }, true, "(allow process-info-pidinfo"],
			["sysctl-read", { name: "hw.optional.arm64" }, true, "(allow sysctl-read"],
			["sysctl-read", { name: "kern.procargs2" }, false, "(deny default"],
			["user-preference-read", { name: "com.example.browser" }, true, "(allow user-preference-read"],
			["managed-preference-read", { name: "com.example.browser" }, true, "(allow user-preference-read"],
			["user-preference-write", { name: "com.example.browser" }, false, "(deny default"],
		],
		wrongIfLastMatchWon: 1,
	},
	mozilla: {
		params: { APP_PATH: "/Applications/F.app" },
		decisions: [
			["process-info-pidinfo", { target: "self" }, true, "(allow process-info-pidinfo"],
			["process-info-pidinfo", { target: "others" }, false, "(deny process-info*)", "measured"],
			["process-info-listpids", { target: "others" }, false, "(deny process-info*)"],
			["nvram-get", { name: "boot-args" }, false, "(deny nvram*)"],
			["file-map-executable", "/usr/lib/dyld", true, "(allow file-map-executable"],
			["file-map-executable", "/Users/u/evil.dylib", false, "(deny file-map-executable)"],
			["file-read-data", { path: "/Applications/F.app/x", fileMode: 0o600 }, true, "(allow file-map-executable"],
			["file-read-data", { path: "/private/etc/hosts", fileMode: 0o644 }, true, "#o0004"],
			["file-read-data", { path: "/private/etc/master.passwd", fileMode: 0o600 }, false, "(deny default)"],
			["file-read-data", { path: "/Users/u/x", fileMode: 0o644 }, false, "(deny default)"],
			["signal", { target: "self" }, true, "(allow signal"],
			["signal", { target: "children" }, false, "(deny default)"],
		],
		wrongIfLastMatchWon: 0,
	},
	nono: {
		decisions: [
			["process-info-pidinfo", { target: "self" }, true, "(allow process-info*"],
			["process-info-pidinfo", { target: "others" }, false, "(deny process-info*"],
			["mach-lookup", { name: "com.apple.logd" }, true, "(allow mach-lookup)"],
			["mach-lookup", { name: "com.apple.SecurityServer" }, false, "SecurityServer"],
			["mach-priv-task-port", { target: "others" }, false, "(deny mach-priv*)"],
			["mach-task-name", { target: "others" }, true, "(allow mach-task-name)"],
			["file-write-create", "/Users/u/early/x", true, '(allow file-write* (subpath "/Users/u"))', "measured"],
			["file-write-create", "/Users/u/late/x", false, "late", "measured"],
			["file-write-unlink", "/Users/u/work/x", true, "(allow file-write-unlink"],
			["file-write-unlink", "/Users/u/other/x", false, "(deny file-write-unlink)", "measured"],
			["network-outbound", "/private/var/run/agent.sock", true, "agent.sock"],
			["network-outbound", "/private/var/run/docker.sock", false, "(deny network*)"],
			["network-outbound", tcp("93.184.216.34:443"), false, "(deny network*)"],
		],
		wrongIfLastMatchWon: 1,
	},
	zcl: {
		decisions: [
			["mach-lookup", { name: "com.apple.logd" }, true, "com.apple.logd", "measured"],
			["mach-lookup", { name: "com.apple.SecurityServer" }, false, "(deny mach-lookup)"],
			["file-read-data", "/usr/share/zoneinfo/UTC", true, '(subpath "/usr/share")'],
			["file-read-data", "/Users/u/x", false, "(deny file-read*)"],
			["file-read-data", "/private/etc/passwd", false, "(deny file-read-data"],
			["file-read-metadata", "/private/etc/passwd", true, '(subpath "/usr/share")'],
		],
		wrongIfLastMatchWon: 3,
	},
	canary: {
		decisions: [
			["process-info-pidinfo", { target: "others" }, true, "built-in: process-info* is allowed unless a rule names it", "measured"],
			["nvram-get", { name: "boot-args" }, true, "built-in: nvram* is allowed unless a rule names it"],
			["file-map-executable", "/Users/u/evil.dylib", true, "built-in: file-map-executable is allowed unless a rule names it"],
			["sysctl-read", { name: "kern.procargs2" }, false, "(deny default)"],
			["sysctl-read", { name: "hw.ncpu" }, true, "hw.ncpu"],
		],
		wrongIfLastMatchWon: 3,
	},
};

const textOf = (name: string): string => readFileSync(new URL(`${name}.sb`, FIXTURES), "utf8");
const queryOf = (about: string | ProfileQuery): ProfileQuery => (typeof about === "string" ? { path: about } : about);

describe.each(Object.entries(PUBLISHED))("the profile of %s", (name, { params = {}, decisions, ...published }) => {
	const profile = textOf(name);
	const decide = evaluateProfile(profile, { params });
	const rules = compileRules(profile, params).map((rule) => rule.text);

	const rows = decisions.map(
		([operation, about, allowed, part, source = "follows"]) => [operation, queryOf(about), allowed, part, source] as const,
	);
	it.each(rows)("%s of %o is allowed: %s, by %s (%s)", (operation, query, allowed, part) => {
		const decision = decide(operation, query);
		expect(decision).toEqual({ allowed, rule: expect.stringContaining(part) });
		if (!part.startsWith("built-in")) expect(rules.filter((rule) => rule.includes(part))).toEqual([decision.rule]);
	});

	it("has both answers", () => {
		expect(new Set(decisions.map(([, , allowed]) => allowed)).size).toBe(2);
	});

	it("would be misjudged by an evaluator for which the last match wins, as often as said", () => {
		const wrong = decisions.filter(([operation, about, allowed]) => lastMatchWins(profile, params, operation, queryOf(about)) !== allowed);
		expect(wrong.length, JSON.stringify(wrong)).toBe(published.wrongIfLastMatchWon);
	});
});

describe("the published profiles", () => {
	it("are all in the table", () => {
		const files = readdirSync(FIXTURES).map((file) => file.replace(/\.sb$/, ""));
		expect(files.toSorted()).toEqual(Object.keys(PUBLISHED).toSorted());
		expect(files.length).toBeGreaterThanOrEqual(10);
	});

	it("bite: dozens of decisions that the last match would get wrong are among them", () => {
		const all = Object.values(PUBLISHED);
		expect(all.flatMap(({ decisions }) => decisions).length).toBeGreaterThanOrEqual(150);
		expect(all.flatMap(({ decisions }) => decisions).filter(([, , , , source]) => source === "measured").length).toBeGreaterThanOrEqual(40);
		expect(all.reduce((sum, { wrongIfLastMatchWon }) => sum + wrongIfLastMatchWon, 0)).toBe(24);
	});
});
