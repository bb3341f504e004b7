import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../../src/sbpl/operations.js";
import { type Check, firstFailure } from "./checks/check.js";
import { SCENARIOS, SURROUNDED } from "./checks/scenarios.js";
import { PROJECT, TMP } from "./pretend-mac.js";

/** A profile with one thing wrong. */
interface Mutant {
	readonly what: string;
	readonly profile: string;
	/** What the changed rule names. It has a say in these and in what falls back on them, in nothing else. */
	readonly operations: readonly string[];
}

/** Whether an operation is one of those or falls back on one. */
function comesTo(operation: string, operations: readonly string[]): boolean {
	if (operations.includes(operation)) return true;
	const known = OPERATIONS.get(operation);
	return known !== undefined && !known.terminal && comesTo(known.fallback, operations);
}

/** The first check that the mutant does not pass, of those that can notice. */
const killerOf = ({ profile, operations }: Mutant, checks: readonly Check[]): string | undefined =>
	firstFailure(
		profile,
		checks.filter(({ operation }) => comesTo(operation, operations)),
	);

/** Rules without their reasons, one string each. */
const rulesOf = (profile: string): readonly string[] => {
	const code = profile.replace(/ ; .*$/gm, "");
	return code.split(/\n(?=\()/).map((rule) => rule.trim());
};
const shortened = (text: string): string => text.replace(/\s+/g, " ").slice(0, 110);

function replaceRule(rules: readonly string[], index: number, replacement: string, what: string): Mutant {
	const rule = rules[index] ?? "";
	const [, named = ""] = /^\((?:allow|deny)((?:\s+[a-z0-9*-]+)+)/.exec(rule) ?? [];
	return {
		what: `${what}: ${shortened(rule)}`,
		profile: rules.with(index, replacement).join("\n"),
		operations: named.trim().split(/\s+/),
	};
}

/** Every occurrence of a pattern in a rule, replaced in turn. */
function replaceEach(
	rules: readonly string[],
	what: string,
	pattern: RegExp,
	replace: (match: RegExpExecArray) => string | undefined,
): Mutant[] {
	return rules.flatMap((rule, index) =>
		[...rule.matchAll(pattern)].flatMap((match) => {
			const replacement = replace(match);
			if (replacement === undefined) return [];
			const mutated = rule.slice(0, match.index) + replacement + rule.slice(match.index + match[0].length);
			return [replaceRule(rules, index, mutated, `${what} ${shortened(match[0])}`)];
		}),
	);
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";

const OPERATORS: Readonly<Record<string, (rules: readonly string[]) => readonly Mutant[]>> = {
	"without a rule": (rules) => rules.map((_, index) => replaceRule(rules, index, "", "without")),
	"with a rule turned round": (rules) =>
		replaceEach(rules, "turned round", /^\((allow|deny) /g, ([, action]) => (action === "allow" ? "(deny " : "(allow ")),
	"with a rule that lost an operation": (rules) =>
		replaceEach(rules, "without operation", /(?<=^\((?:allow|deny)(?: [a-z*-]+)*) [a-z*-]+(?=[ )\n])/g, () => ""),
	"with a rule that lost a filter": (rules) =>
		replaceEach(rules, "without filter", /(?!^)\s*\((?!allow|deny|version)[a-z-]+ (?:"(?:[^"\\]|\\.)*"|[^()"])*\)/g, () => ""),
	"with a subpath that covers its parent": (rules) =>
		replaceEach(rules, "wider", /\(subpath "([^"]*)"\)/g, ([, path = ""]) => (path === "/" ? undefined : `(subpath "${parentOf(path)}")`)),
	"with a subpath that covers nothing below": (rules) => replaceEach(rules, "narrower", /\(subpath /g, () => "(literal "),
	"with a subpath that covers what only starts alike": (rules) => replaceEach(rules, "prefix for", /\(subpath /g, () => "(prefix "),
};

/** Mutants that decide everything as the profile does, and why. */
const EQUIVALENT: readonly RegExp[] = [
	// Reading is allowed around it already.
	/^without operation {1,2}file-read\*: .*"\/Users\/u\/project\/out\/keep\/me\/logs"/,
	// Each of the specific operations decides what the wildcard would, and the other way round; see attacks/persistence-files.
	/^without operation {1,2}file-write\S+: \(deny file-write\* file-link file-clone file-write-acl/,
	// At this depth nothing else may be written.
	/^without filter +\(subpath "\/Users\/u\/project\/out"\): \(deny file-write\* file-link file-clone file-write-acl/,
	// It is read-only itself.
	/^without filter +\(literal "\/Users\/u\/project\/out\/keep\/me"\): \(deny file-write-create file-write-unlink/,
	// The pattern says how deep, and beside the directory nothing may be written.
	/^(wider|prefix for) \(subpath .*: \(deny file-write\* file-link file-clone file-write-acl/,
	// A prefix that only widens a deny, of paths that nothing allows.
	/^prefix for \(subpath : \(deny file-read\* \(subpath "\/System\/Volumes\/Data"\)\)/,
];

const mutantsOf = (profile: string): readonly Mutant[] => Object.values(OPERATORS).flatMap((operator) => operator(rulesOf(profile)));

describe.each(SCENARIOS)("the checks of the $name profile", ({ profile, checks }) => {
	it("hold of the profile itself, reasons removed", () => {
		expect(firstFailure(rulesOf(profile).join("\n"), checks)).toBeUndefined();
	});

	it.each(Object.keys(OPERATORS))("kill every mutant %s", (name) => {
		const mutants = OPERATORS[name]?.(rulesOf(profile)) ?? [];
		expect(mutants.length).toBeGreaterThan(0);
		const killers = mutants.map((mutant) => ({ what: mutant.what, killer: killerOf(mutant, checks) }));
		expect(
			killers.filter(({ what, killer }) => killer === undefined && !EQUIVALENT.some((known) => known.test(what))).map(({ what }) => what),
		).toEqual([]);
	});

	it("kill hundreds of mutants in all", () => {
		expect(mutantsOf(profile).length).toBeGreaterThan(300);
	});
});

/** Mistakes somebody might really make, each with the check that notices. */
const MISTAKES: readonly {
	readonly what: string;
	readonly in: string;
	readonly change: readonly [string | RegExp, string];
	readonly killer: RegExp;
}[] = [
	{
		what: "the network without a filter",
		in: "online",
		change: ["(allow network-outbound (remote ip))", "(allow network-outbound)"],
		killer: /docker\.sock cannot be reached/,
	},
	{
		what: "the whole network",
		in: "online",
		change: ["(allow network-outbound (remote ip))", "(allow network*)"],
		killer: /docker\.sock cannot be reached/,
	},
	{ what: "/System for /System/Library", in: "offline", change: ['"/System/Library"', '"/System"'], killer: /swapfile0 cannot be read/ },
	{
		what: "/System for /System/Library, and the data volume open",
		in: "offline",
		change: [
			/\(allow file-read\* \(subpath "\/System\/Library"\)\)([\s\S]*?)\n\(deny file-read\*[^\n]*/,
			'(allow file-read* (subpath "/System"))$1',
		],
		killer: /swapfile0|\.ssh/,
	},
	{
		what: "every service of the system",
		in: "offline",
		change: ["(deny default)", "(deny default)\n(allow mach-lookup)"],
		killer: /SecurityServer cannot be looked up/,
	},
	{
		what: "metadata of everything",
		in: "offline",
		change: ["(deny default)", "(deny default)\n(allow file-read-metadata)"],
		killer: /size and time cannot be seen/,
	},
	{
		what: "the home directory",
		in: "offline",
		change: ["(deny default)", '(deny default)\n(allow file-read* (subpath "/Users/u"))'],
		killer: /\.env|\.ssh/,
	},
	{ what: "allow by default", in: "offline", change: ["(deny default)", "(allow default)"], killer: /./ },
	{
		what: "terminals",
		in: "offline",
		change: ['(literal "/dev/stdin")', '(literal "/dev/stdin")\n  (literal "/dev/tty")'],
		killer: /\/dev\/tty/,
	},
	{
		what: "programs outside of the sandbox",
		in: "offline",
		change: ["(allow signal (target self) (target same-sandbox))", "(allow signal)"],
		killer: /others cannot be signalled/,
	},
	{
		what: "others' processes",
		in: "offline",
		change: ["(allow process-info* (target self)", "(allow process-info* (target others) (target self)"],
		killer: /others cannot be asked/,
	},
	{
		what: "links by a rule of the wildcard alone",
		in: "offline",
		change: ["(deny process-info* nvram* file-link file-clone)", "(deny process-info* nvram* file*)"],
		killer: /second name|what is to be read/,
	},
	{
		what: "the island before the sea",
		in: "offline",
		change: [/(\(allow file-read\* file-write\*[^\n]*project\/out"\)\))\n([\s\S]*?)(\(deny file-write\*[^\n]*)/, "$3\n$1\n$2"],
		killer: /keep\/me\/x/,
	},
	{ what: "a moved island", in: "offline", change: [/\(deny file-write-create file-write-unlink[\s\S]*?\)\)\n/, ""], killer: /moved away/ },
	{
		what: "an island that can be exchanged for another",
		in: "offline",
		change: ["(deny file-write-create file-write-unlink", "(deny file-write-unlink"],
		killer: /moved/,
	},
	{
		what: "names protected at any depth, or none",
		in: "offline",
		change: ['(regex "^/[^/]+/[^/]+', '(regex "^/[^/]+'],
		killer: /cannot be made|can be made/,
	},
	{
		what: "names protected as they are spelt alone",
		in: "offline",
		change: [/\[gG\]\[iI\]\[tT\]/g, "git"],
		killer: /GIT|Git/,
	},
	{
		what: "the hidden profiles before the grant",
		in: "surrounded",
		change: [/([\s\S]*)(\(deny file-read\* file-write\*[^\n]*)\n/, "$2\n$1"],
		killer: /./,
	},
	{
		what: "profiles hidden by a path that does not exist",
		in: "surrounded",
		change: [`(prefix "${TMP}`, `(prefix "${TMP.replace("/private", "")}`],
		killer: /profile\.sb cannot be read/,
	},
	{
		what: "profiles hidden from readers alone",
		in: "surrounded",
		change: ["(deny file-read* file-write* file-link file-clone (prefix", "(deny file-read* (prefix"],
		killer: /profile/,
	},
	{
		what: "a grant that starts alike",
		in: "offline",
		change: [`(subpath "${PROJECT}/data")`, `(prefix "${PROJECT}/data")`],
		killer: /data2/,
	},
];

describe("a mistake that opens something is noticed:", () => {
	const scenario = (name: string): { readonly profile: string; readonly checks: readonly Check[] } => {
		const found = [...SCENARIOS, SURROUNDED].find((each) => each.name === name);
		if (found === undefined) throw new Error(name);
		return found;
	};

	it.each(MISTAKES)("$what", ({ in: name, change: [from, to], killer }) => {
		const { profile, checks } = scenario(name);
		const mutated = profile.replace(from, to);
		expect(mutated).not.toBe(profile);
		expect(firstFailure(mutated, checks)).toMatch(killer);
	});

	it("the surrounded profile's own rules: none can go", () => {
		const { profile, checks } = SURROUNDED;
		const rules = rulesOf(profile);
		const tail = rules
			.map((rule, index) => ({ rule, index }))
			.filter(({ rule }) => /project|robot-lab|folders/.test(rule) && !rule.includes("file-read-metadata"));
		for (const { rule, index } of tail) expect(firstFailure(rules.with(index, "").join("\n"), checks), rule).toBeDefined();
	});
});
