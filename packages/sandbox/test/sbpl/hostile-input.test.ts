import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateProfile, ProfileError, type ProfileEvaluator } from "../../src/sbpl/index.js";
import { OPERATIONS } from "../../src/sbpl/operations.js";

const QUERIES = [{}, { path: "/a/b" }, { name: "a" }, { target: "others" as const }, { remote: "127.0.0.1:80", local: "[::1]:1" }];
const PARAMS = { X: "/a", Y: "(" };

/** The evaluator of a profile, when it is one. Anything but a ProfileError is thrown on. */
function read(profile: string): ProfileEvaluator | undefined {
	try {
		return evaluateProfile(profile, { params: PARAMS });
	} catch (error) {
		if (ProfileError.isInstance(error)) return undefined;
		throw error;
	}
}

describe("evaluateProfile()", () => {
	it.each([null, undefined, 1, {}, []])("refuses %j, which is no text", (profile) => {
		expect(() => evaluateProfile(profile as never)).toThrow(expect.objectContaining({ code: "profile_syntax" }));
	});
});

/** Asks about everything. Anything but an answer or a ProfileError is thrown on. */
function ask(decide: ProfileEvaluator): number {
	let answers = 0;
	for (const operation of ["file-read-data", "file-write-create", "network-outbound", "mach-lookup", "signal", "process-exec*"]) {
		for (const query of QUERIES) {
			try {
				const { allowed, rule } = decide(operation, query);
				expect(typeof allowed).toBe("boolean");
				expect(rule).not.toBe("");
				answers += 1;
			} catch (error) {
				if (!ProfileError.isInstance(error)) throw error;
			}
		}
	}
	return answers;
}

const atom = fc.constantFrom(
	..."default file-read* file-write* file* network* network-outbound mach-lookup signal process-exec x self ip #t #f 1 #o4 -1 #xff".split(
		" ",
	),
	'"/a"',
	'"a"',
	'"localhost:80"',
	'#"^/[a-z]+(/|$)"',
	'"\\\\."',
	'"[^"',
	'"(a|"',
	'(param "X")',
	'(param "Y")',
	'(param "Z")',
);
const head = fc.constantFrom(
	..."allow deny version with with-filter require-all require-any require-not literal subpath prefix regex path-ancestors global-name remote local".split(
		" ",
	),
	..."target vnode-type extension process-path string-append param debug define import file-mode tty unix-socket socket-domain".split(" "),
);
/** Lists as profiles are made of, put together without sense. */
const soup = fc.letrec<{ list: string; item: string }>((tie) => ({
	list: fc.tuple(head, fc.array(tie("item"), { maxLength: 4 })).map(([first, rest]) => `(${[first, ...rest].join(" ")})`),
	item: fc.oneof({ maxDepth: 4 }, atom, tie("list")),
})).list;

describe("whatever it is given, the evaluator answers or refuses:", () => {
	it("random bytes", () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
				for (const encoding of ["latin1", "utf8"] as const) {
					const text = Buffer.from(bytes).toString(encoding);
					for (const profile of [text, `(version 1)${text}`, `(version 1)(allow file-read* (regex "${text}"))`]) {
						const decide = read(profile);
						if (decide !== undefined) ask(decide);
					}
				}
			}),
			{ numRuns: 500 },
		);
	});

	it("lists that make no sense, of which some happen to be rules", () => {
		let profiles = 0;
		let answers = 0;
		fc.assert(
			fc.property(fc.array(soup, { maxLength: 4 }), (lists) => {
				const decide = read(`(version 1)${lists.join("\n")}`);
				if (decide === undefined) return;
				profiles += 1;
				answers += ask(decide);
			}),
			{ numRuns: 3000 },
		);
		expect(profiles).toBeGreaterThan(60);
		expect(answers).toBeGreaterThan(600);
	});

	it("a rule that lost or gained a character", () => {
		const rule =
			'(allow (with report) file-read* file-write-data (require-all (subpath (string-append (param "X") "/b")) (require-not (regex #"^/a/[^/]+[.](x|y)$"))))';
		const letter = fc.constantFrom(..."()\"#\\;' \n\0[]^$|*+?{}-é1a");
		fc.assert(
			fc.property(fc.nat(rule.length), fc.nat(2), fc.string({ unit: letter, maxLength: 2 }), (at, lost, gained) => {
				const decide = read(`(version 1)(deny default)${rule.slice(0, at)}${gained}${rule.slice(at + lost)}`);
				if (decide !== undefined) ask(decide);
			}),
			{ numRuns: 2000 },
		);
	});

	it.each([
		["parentheses without end", "(".repeat(1_000_000)],
		["closing ones", `(version 1)${")".repeat(1_000_000)}`],
		["filters within filters", `(version 1)(allow file-read* ${"(require-not ".repeat(100_000)}`],
		["a string without end", `(version 1)(allow file-read* (literal "${"x".repeat(4_000_000)}`],
		["a string of escapes without end", `(version 1)(allow file-read* (literal "${"\\\\".repeat(2_000_000)}`],
		["a raw string without end", `(version 1)(allow file-read* (literal #"${"x".repeat(4_000_000)}`],
		["a comment without end", `;${"x".repeat(4_000_000)}`],
		["white space without end", " ".repeat(4_000_000)],
		["lines without end", "\n".repeat(1_000_000)],
		["a word without end", `(version 1)(${"x".repeat(4_000_000)}`],
		["digits without end", `(version ${"9".repeat(1_000_000)})`],
		["a long pattern from parameters", `(version 1)(allow file-read* (regex (string-append ${'(param "X")'.repeat(40_000)})))`],
	])("%s", (_, profile) => {
		expect(read(profile)).toBeUndefined();
	});

	it.each([
		["rules", `(version 1)${'(deny file-read* (subpath "/x"))'.repeat(10_000)}(allow file-read* (subpath "/a"))`],
		["filters of a rule", `(version 1)(allow file-read* ${'(literal "/x")'.repeat(40_000)} (subpath "/a"))`],
		["values of a filter", `(version 1)(allow file-read* (subpath ${'"/x" '.repeat(80_000)} "/a"))`],
		[
			"operations of a rule",
			`(version 1)(allow ${[...OPERATIONS.keys()].join(" ").concat(" file-read*".repeat(100_000))} (extension "x"))(allow file-read* (subpath "/a"))`,
		],
		["patterns", `(version 1)(allow file-read* ${'(regex #"^/(x+)+$")'.repeat(8_000)} (subpath "/a"))`],
		["nested conditions", `(version 1)${'(with-filter (subpath "/a") '.repeat(30)}(allow file-read*)${")".repeat(30)}`],
	])("very many %s, and still finds the one that decides", (_, profile) => {
		const decide = evaluateProfile(profile);
		expect(decide("file-read-data", { path: "/a/b" }).allowed).toBe(true);
		expect(decide("file-read-data", { path: "/b" }).allowed).toBe(false);
	});

	it("a path of 300,000 segments", () => {
		const decide = evaluateProfile('(version 1)(allow file-read* (regex #"^(/[a-z]+)+$"))');
		expect(decide("file-read-data", { path: "/a".repeat(300_000) }).allowed).toBe(true);
		expect(() => decide("file-read-data", { path: `${"/a".repeat(300_000)}/..` })).toThrow(/no path as the kernel sees one/);
	});
});
