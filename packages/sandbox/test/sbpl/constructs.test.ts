import { describe, expect, it } from "vitest";
import { evaluateProfile, type ProfileParams, type ProfileQuery } from "../../src/sbpl/index.js";

const decider = (rules: string, params: ProfileParams = {}) => {
	const decide = evaluateProfile(`(version 1)(deny default)${rules}`, { params });
	return (operation: string, query: ProfileQuery = {}): boolean => decide(operation, query).allowed;
};
const refusalOf = (rules: string, params: ProfileParams = {}): unknown => {
	try {
		decider(rules, params);
	} catch (error) {
		return error;
	}
	return undefined;
};

describe("(param …)", () => {
	it("stands for the text that is given for it, in every filter that takes text", () => {
		const allowed = decider(
			'(allow file-read* (subpath (param "ROOT")))(allow mach-lookup (global-name (param "NAME")))(allow network-outbound (remote ip (param "PROXY")))',
			{ ROOT: "/r", NAME: "a.b", PROXY: "localhost:80" },
		);
		expect(allowed("file-read-data", { path: "/r/x" })).toBe(true);
		expect(allowed("mach-lookup", { name: "a.b" })).toBe(true);
		expect(allowed("network-outbound", { remote: "127.0.0.1:80" })).toBe(true);
		expect(allowed("network-outbound", { remote: "127.0.0.1:81" })).toBe(false);
	});

	it.each(['/a")(allow file-write*)("', "/a) (allow default", '/#"x', "/a\nb", "/a;b", "\\", '/(param "OTHER")'])(
		"is never read as profile text: %j",
		(value) => {
			const allowed = decider('(allow file-read* (literal (param "X")))', { X: value });
			expect(allowed("file-write-data", { path: "/x" })).toBe(false);
			if (value.startsWith("/")) expect(allowed("file-read-data", { path: value.replace(/\/$/, "") })).toBe(true);
		},
	);

	it("may be longer than a literal", () => {
		const path = `/${"x".repeat(3000)}`;
		expect(decider('(allow file-read* (literal (param "X")))', { X: path })("file-read-data", { path })).toBe(true);
	});

	it("is getenv by another name, and string-append puts texts together", () => {
		const allowed = decider('(allow file-read* (regex (string-append "^" (getenv "HOME") "/[.]x" (string-append "(/" "|$)"))))', {
			HOME: "/Users/u",
		});
		expect(["/Users/u/.x", "/Users/u/.x/y", "/Users/u/.xy", "/v/Users/u/.x"].map((path) => allowed("file-read-data", { path }))).toEqual([
			true,
			true,
			false,
			false,
		]);
	});

	it.each(["X", "toString", "__proto__", "constructor"])("without a value is an error, as on macOS: %s", (name) => {
		expect(refusalOf(`\n(allow file-read* (subpath (param "${name}")))`)).toMatchObject({
			code: "profile_syntax",
			line: 2,
			message: expect.stringContaining(`no value is given for the parameter "${name}"`),
		});
	});

	it.each([
		["(allow file-read* (subpath (param)))", "(param …) takes one string"],
		["(allow file-read* (subpath (param X)))", "(param …) takes one string"],
		['(allow file-read* (subpath (param "X" "Y")))', "(param …) takes one string"],
		['(allow file-read* (subpath (string-append "a" 1)))', "(string-append …) takes strings"],
		['(allow file-read* (param "X"))', '"/x" is no filter'],
		['(allow file-read* (vnode-type (param "X")))', "vnode-type"],
	])("in the wrong place is an error: %s", (rules, message) => {
		expect(refusalOf(rules, { X: "/x" })).toMatchObject({ name: "ProfileError", message: expect.stringContaining(message) });
	});
});

describe("(with-filter …)", () => {
	it("adds its condition to filtered rules, beside the alternatives they have", () => {
		const allowed = decider('(with-filter (process-path "/bin/p") (allow file-read* (literal "/a") (literal "/b")))');
		const reads = (path: string, processPath: string): boolean => allowed("file-read-data", { path, processPath });
		expect([reads("/a", "/bin/p"), reads("/b", "/bin/p"), reads("/a", "/bin/q"), reads("/c", "/bin/p")]).toEqual([
			true,
			true,
			false,
			false,
		]);
	});

	it("makes an unfiltered rule a filtered one, which a later unfiltered one does not override", () => {
		const allowed = decider('(with-filter (process-path "/bin/p") (deny process-fork))(allow process-fork)');
		expect(allowed("process-fork", { processPath: "/bin/p" })).toBe(false);
		expect(allowed("process-fork", { processPath: "/bin/q" })).toBe(true);
		expect(() => allowed("process-fork")).toThrow(/depends on processPath/);
	});

	it("nests, and takes parameters", () => {
		const allowed = decider(
			'(with-filter (subpath (param "W")) (deny file-write* (regex "x")) (with-filter (require-not (literal "/w/no")) (allow file-write*)))',
			{ W: "/w" },
		);
		expect(["/w", "/w/a", "/w/no", "/v", "/w/x"].map((path) => allowed("file-write-data", { path }))).toEqual([
			true,
			true,
			false,
			false,
			true,
		]);
	});

	it("has to fit every operation inside it", () => {
		expect(refusalOf('(with-filter (subpath "/w") (allow mach-lookup))')).toMatchObject({
			message: expect.stringContaining("mach-lookup takes no"),
		});
	});

	it.each([
		["(with-filter)", "profile_syntax", "needs a filter"],
		['(with-filter (subpath "/w") allow)', "profile_syntax", "a filter and rules"],
		["(with-filter file-read* (allow file-read*))", "profile_syntax", "no filter"],
		['(with-filter (subpath "/w") (define x 1))', "profile_unsupported", "(define …) needs a Scheme interpreter"],
	])("%s is refused", (rules, code, message) => {
		expect(refusalOf(rules)).toMatchObject({ code, message: expect.stringContaining(message) });
	});

	it("answers with the rule that stands in it", () => {
		const decide = evaluateProfile('(version 1)(with-filter (process-path "/p")\n  (allow signal))');
		expect(decide("signal", { processPath: "/p" }).rule).toBe("(allow signal)");
	});
});

describe("(remote unix-socket …)", () => {
	it("without a path is every socket that has one, and no connection by address", () => {
		for (const filter of ["(remote unix-socket)", "(to unix)", "(local unix-socket)"]) {
			const allowed = decider(`(allow network-outbound ${filter})`);
			expect(allowed("network-outbound", { path: "/s" })).toBe(true);
			expect(allowed("network-outbound", { remote: "1.2.3.4:1" })).toBe(false);
			expect(() => allowed("network-outbound")).toThrow(/depends on path/);
		}
	});

	it("with paths is those sockets", () => {
		const allowed = decider('(allow network-outbound (remote unix-socket (path-literal "/a") (path-regex #"^/b")))');
		expect(["/a", "/bc", "/c"].map((path) => allowed("network-outbound", { path }))).toEqual([true, true, false]);
		expect(allowed("network-outbound", { remote: "1.2.3.4:1" })).toBe(false);
	});

	it("with paths that it is not, is still no connection by address", () => {
		const allowed = decider('(allow network-outbound (remote unix-socket (require-not (path-literal "/a"))))');
		expect(["/a", "/b"].map((path) => allowed("network-outbound", { path }))).toEqual([false, true]);
		expect(allowed("network-outbound", { remote: "1.2.3.4:1" })).toBe(false);
	});

	it("belongs to the network", () => {
		expect(refusalOf("(allow file-read* (remote unix-socket))")).toMatchObject({ message: expect.stringContaining("family network") });
		expect(refusalOf('(allow network-outbound (remote unix-socket (global-name "x")))')).toMatchObject({
			message: expect.stringContaining("family mach"),
		});
	});
});

describe("a rule", () => {
	it.each([
		'(allow (with report) file-read* (literal "/a"))',
		'(allow file-read* (with report) (literal "/a"))',
		'(allow file-read* (literal "/a") (with report))',
		'(allow (literal "/a") file-read*)',
		'(allow file-read* (literal "/a") file-write*)',
		'(allow (with report) (with message "m") (literal "/b") file-write* (literal "/a") file-read*)',
	])("takes operations, filters and modifiers in any order: %s", (rule) => {
		expect(decider(rule)("file-read-data", { path: "/a" })).toBe(true);
		expect(decider(rule)("file-read-data", { path: "/c" })).toBe(false);
	});

	it("takes the older names of extensions and of modifiers", () => {
		for (const head of ["extension", "mach-extension", "granted-extensions"]) {
			const allowed = decider(`(allow file-read* (${head} "e"))(deny signal (with termination))(allow process-exec (with no-profile))`);
			expect(allowed("file-read-data", { path: "/x", extensions: ["e"] })).toBe(true);
			expect(allowed("file-read-data", { path: "/x", extensions: ["f"] })).toBe(false);
			expect(allowed("process-exec*", { path: "/x" })).toBe(true);
		}
		expect(refusalOf("(allow file-read* (with no-profile))")).toMatchObject({ code: "profile_syntax" });
	});

	it.each([
		["file-issue-extension*", "file-issue-extension", {}],
		["file-issue-extension-read", "file-issue-extension", {}],
		["file-write-mount", "file-mount", {}],
		["file-issue-extension-write", "file-issue-extension", {}],
		["file-write-unmount", "file-unmount", {}],
		["file-write-umount", "file-unmount", {}],
		["managed-preference*", "managed-preference-read", {}],
		["system-misc", "system-reboot", {}],
		["time-set", "system-set-time", {}],
	])("for %s is one for %s", (alias, operation, query) => {
		expect(decider(`(allow ${alias})`)(operation, query)).toBe(true);
	});

	it.each([
		["appleevent-send", "appleevent-destination"],
		["authorization-right-obtain", "right-name"],
		["darwin-notification-post", "notification-name"],
		["nvram-get", "nvram-variable"],
		["system-kext-load", "kext-bundle-id"],
		["system-info", "info-type"],
	])("for %s takes %s and no other name", (operation, head) => {
		expect(decider(`(deny ${operation})(allow ${operation} (${head} "x"))`)(operation, { name: "x" })).toBe(true);
		expect(decider(`(deny ${operation})(allow ${operation} (${head} "x"))`)(operation, { name: "y" })).toBe(false);
		expect(refusalOf(`(allow ${operation} (sysctl-name "x"))`)).toMatchObject({ code: "profile_syntax" });
		expect(refusalOf(`(allow process-fork (${head} "x"))`)).toMatchObject({ code: "profile_syntax" });
		expect(refusalOf(`(allow system-kext-query (${head} "x"))`)).toMatchObject({ code: "profile_syntax" });
	});
});

describe("what is refused says what to write instead:", () => {
	it.each([
		['(define HOME "/Users/u")', "(define …) needs a Scheme interpreter: write out the rules it makes"],
		["(define (home-subpath rel) (subpath rel))", "(define …) needs a Scheme interpreter"],
		["(define-once x 1)", "(define-once …) needs a Scheme interpreter"],
		['(if (param "X") (allow default))', "(if …) needs a Scheme interpreter"],
		["(let ((a 1)) (allow default))", "a list has to start with a symbol|(let …) needs a Scheme interpreter"],
		["(when #t (allow default))", "(when …) needs a Scheme interpreter"],
		['(import "system.sb")', "put the rules of the file in its place"],
		["(with-modifier (with report) (allow default))", "write what it adds into each rule"],
		["(with-operations (list file-read*) (allow default))", "write what it adds into each rule"],
		['(trace "/x")', "(trace …) is not understood: a profile here is made of version, allow, deny and with-filter"],
		[
			'(allow file-read* (home-subpath "/x"))',
			"the filter home-subpath is not known; what a function of the profile makes has to be written out",
		],
		['(allow file-read* (if #t (subpath "/x")))', "(if …) needs a Scheme interpreter"],
		['(allow file-read* (require-entitlement "x"))', "the filter require-entitlement is not known"],
		["(allow syscall-mach)", "the operation syscall-mach is not known"],
	])("%s", (rules, message) => {
		const error = refusalOf(`\n\n${rules}`);
		expect(error).toMatchObject({ code: "profile_unsupported", line: 3 });
		expect(message.split("|").some((part) => String(error).includes(part))).toBe(true);
	});

	it("and shows only the start of what is very long", () => {
		for (const rules of [
			`(${"x".repeat(10_000)})`,
			`(allow ${"x".repeat(10_000)})`,
			`(allow file-read* (${"x".repeat(10_000)}))`,
			"é".repeat(10_000),
		]) {
			expect(String(refusalOf(rules)).length).toBeLessThan(300);
		}
	});
});
