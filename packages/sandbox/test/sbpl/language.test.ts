import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateProfile, ProfileError } from "../../src/sbpl/index.js";

const allowed = (rules: string, operation: string, query = {}): boolean =>
	evaluateProfile(`(version 1)(deny default)${rules}`)(operation, query).allowed;

describe("evaluateProfile() reads", () => {
	it("comments, blank lines, numbers and booleans where the language has them", () => {
		expect(allowed('; a comment with ( and "\n\t(allow file-read* (file-mode #o4)) ; another', "file-read-data", { fileMode: 0o644 })).toBe(
			true,
		);
	});

	it("escapes in cooked strings and none in raw ones", () => {
		expect(allowed(String.raw`(allow file-read* (literal "/a\"b\\c"))`, "file-read-data", { path: '/a"b\\c' })).toBe(true);
		expect(allowed(String.raw`(allow file-read* (literal #"/a\b"))`, "file-read-data", { path: "/a\\b" })).toBe(true);
	});

	it("a raw string up to the first quote, whatever stands before it", () => {
		expect(() => allowed(String.raw`(allow file-read* (literal #"/a\"b"))`, "file-read-data", { path: "/" })).toThrow(ProfileError);
	});

	it("any string through the escapes of quote and backslash alone", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
				fc.pre(!/[\p{Cc}/]/u.test(text) && text !== "" && text !== "." && text !== ".." && !/\p{Surrogate}/u.test(text));
				const escaped = text.replace(/[\\"]/g, "\\$&");
				expect(allowed(`(allow file-read* (literal "/${escaped}"))`, "file-read-data", { path: `/${text}` })).toBe(true);
			}),
			{ numRuns: 1000 },
		);
	});

	it.each([
		["process-exec", "process-exec*", {}],
		["ipc-posix-sem", "ipc-posix-sem-open", { name: "x" }],
		["ipc-posix-shm", "ipc-posix-shm-read-data", { name: "x" }],
		["ipc-posix-shm-read*", "ipc-posix-shm-read-data", { name: "x" }],
		["file-unlink", "file-write-unlink", { path: "/x" }],
		["file-fsctl", "system-fsctl", {}],
		["sysctl-write", "sysctl-write", { name: "x" }],
	])("a rule for %s as one for %s", (alias, operation, query) => {
		expect(allowed(`(allow ${alias})`, operation, query)).toBe(true);
	});

	it("a rule for sysctl-write as one for every sysctl operation", () => {
		expect(allowed('(allow sysctl-write (sysctl-name "kern.x"))', "sysctl-read", { name: "kern.x" })).toBe(true);
	});

	it.each(["mach-per-user-lookup", "ipc-posix-shm-read-metadata", "system-chud", "qtn-download"])(
		"a rule for %s as one without effect",
		(name) => {
			expect(allowed(`(allow ${name})`, "mach-lookup", { name: "x" })).toBe(false);
		},
	);

	it("modifiers, which decide nothing", () => {
		const rules =
			'(deny file-read* (with message "tag") (with no-log) (subpath "/s"))(allow file-write* (with report))(deny signal (with send-signal SIGKILL))';
		expect(allowed(rules, "file-write-data", { path: "/s" })).toBe(true);
		expect(allowed(rules, "file-read-data", { path: "/s" })).toBe(false);
		expect(allowed('(allow process-exec (path "/bin/ps") (with no-sandbox))', "process-exec*", { path: "/bin/ps" })).toBe(true);
	});

	it("(debug deny) as nothing", () => {
		expect(allowed("(debug deny)", "signal", { target: "self" })).toBe(false);
	});
});

describe("evaluateProfile() refuses", () => {
	const refusal = (profile: string): unknown => {
		try {
			evaluateProfile(profile);
		} catch (error) {
			return error;
		}
		return undefined;
	};

	it.each([
		["no version", "(deny default)", "profile_syntax", "(version 1)"],
		["an empty profile", "", "profile_syntax", "(version 1)"],
		["another version", "(version 2)", "profile_unsupported", "(version 1)"],
		["a second version", "(version 1)(version 1)", "profile_unsupported", "(version …)"],
		["define", "(version 1)(define x 1)", "profile_unsupported", "(define …)"],
		["import", '(version 1)(import "system.sb")', "profile_unsupported", "(import …)"],
		["setenv", "(version 1)(setenv x)", "profile_unsupported", "(setenv …)"],
		["a parameter without a value", '(version 1)(allow file-read* (subpath (param "X")))', "profile_syntax", 'parameter "X"'],
		["an unknown operation", "(version 1)(allow file-reed*)", "profile_unsupported", "the operation file-reed* is not known"],
		["a rule without operation", '(version 1)(allow (subpath "/x"))', "profile_syntax", "names no operation"],
		["an unknown filter", '(version 1)(allow file-read* (glob "/x"))', "profile_unsupported", "the filter glob is not known"],
		["an unknown modifier", "(version 1)(allow file-read* (with magic))", "profile_unsupported", "modifier"],
		["no-sandbox elsewhere", "(version 1)(allow file-read* (with no-sandbox))", "profile_syntax", "process-exec*"],
		["an open parenthesis", "(version 1)(deny default", "profile_syntax", "a ( is not closed"],
		["a parenthesis too many", "(version 1))", "profile_syntax", "a ) closes nothing"],
		["an open string", '(version 1)(allow file-read* (literal "/x))', "profile_syntax", "a string is not closed"],
		["an unknown escape", String.raw`(version 1)(allow file-read* (literal "/\n"))`, "profile_unsupported", "escape"],
		["a newline in a string", '(version 1)(allow file-read* (literal "/a\nb"))', "profile_syntax", "control characters"],
		["a NUL", "(version 1)\0(deny default)", "profile_syntax", "no symbol"],
		["a word outside any list", "(version 1) deny", "profile_syntax", "outside any list"],
		["a string outside any list", '(version 1) "deny"', "profile_syntax", "outside any list"],
		["a list that starts with a string", '(version 1)("deny" default)', "profile_syntax", "start with a symbol"],
		[
			"a path filter on mach-lookup",
			'(version 1)(allow mach-lookup (literal "/x"))',
			"profile_syntax",
			"mach-lookup takes no filter of the family path",
		],
		["a path filter on default", '(version 1)(allow default (subpath "/x"))', "profile_syntax", "default takes no filter"],
		["a vnode-type filter on process-exec", "(version 1)(allow process-exec (vnode-type DIRECTORY))", "profile_syntax", "vnode-type"],
		["a name filter on a file", '(version 1)(allow file-read* (global-name "x"))', "profile_syntax", "mach"],
		[
			"a foreign filter hidden in a require-not",
			'(version 1)(allow mach-lookup (require-not (require-any (literal "/x"))))',
			"profile_syntax",
			"path",
		],
		[
			"one of several operations that takes no such filter",
			'(version 1)(allow file-read* mach-lookup (literal "/x"))',
			"profile_syntax",
			"mach-lookup",
		],
		["a host name", '(version 1)(allow network-outbound (remote ip "example.com:443"))', "profile_syntax", "a host is * or localhost"],
		["an address", '(version 1)(allow network-outbound (remote ip "127.0.0.1:443"))', "profile_syntax", "a host is * or localhost"],
		["a host without port", '(version 1)(allow network-outbound (remote ip "localhost"))', "profile_syntax", "a port is a number or *"],
		["a port out of range", '(version 1)(allow network-outbound (remote ip "*:70000"))', "profile_syntax", "a port is a number or *"],
		["an unknown protocol", "(version 1)(allow network-outbound (remote sctp))", "profile_unsupported", "ip, tcp or udp"],
		["a filter without values", "(version 1)(allow file-read* (literal))", "profile_syntax", "at least one value"],
		["an empty require-any", "(version 1)(allow file-read* (require-any))", "profile_syntax", "at least one value"],
		[
			"a require-not of two",
			'(version 1)(allow file-read* (require-not (literal "/a") (literal "/b")))',
			"profile_syntax",
			"takes one filter",
		],
		["a symbol for a filter", "(version 1)(allow file-read* #t)", "profile_syntax", "no filter"],
		["an unknown vnode type", "(version 1)(allow file-read* (vnode-type PIPE))", "profile_unsupported", "vnode-type"],
		["a look-ahead", '(version 1)(allow file-read* (regex #"^/(?!x)"))', "profile_unsupported", "(?"],
		["a digit class", String.raw`(version 1)(allow file-read* (regex #"^/\d"))`, "profile_unsupported", "backslash before"],
		["a repeat count", '(version 1)(allow file-read* (regex #"^/a{2}"))', "profile_unsupported", "repeat count"],
		["a regular expression that is none", '(version 1)(allow file-read* (regex #"^/(a"))', "profile_unsupported", "not closed"],
		["lists nested without end", `(version 1)${"(".repeat(100_000)}`, "profile_unsupported", "nested deeper"],
	])("%s", (_, profile, code, message) => {
		expect(refusal(profile)).toMatchObject({ name: "ProfileError", code, message: expect.stringContaining(message) });
	});

	it("a string of more than 1,025 bytes, and reads one of 1,025", () => {
		const profile = (bytes: number): string => `(version 1)(allow file-read* (literal "/${"é".repeat((bytes - 1) / 2)}"))`;
		expect(refusal(profile(1025))).toBeUndefined();
		expect(refusal(profile(1027))).toMatchObject({ code: "profile_syntax" });
	});

	it("with the line the trouble stands in", () => {
		expect(refusal('(version 1)\n; fine\n(deny default)\n(allow file-read* (literal "/a")\n  (oops))')).toMatchObject({ line: 5 });
	});

	it("rather than answering, whatever text it is given", () => {
		const alphabet = [
			"(version 1)",
			"(allow ",
			"(deny ",
			"file-read*",
			"default",
			'(literal "',
			"(subpath ",
			'"',
			"\\",
			")",
			"(",
			"#",
			";",
			"\n",
			"x",
			"(require-not ",
		];
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...alphabet), { maxLength: 30 }), (parts) => {
				const error = refusal(parts.join(""));
				expect(error === undefined || ProfileError.isInstance(error)).toBe(true);
			}),
			{ numRuns: 2000 },
		);
	});
});
