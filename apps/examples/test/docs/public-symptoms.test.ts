import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const page = fileURLToPath(new URL("../../../../docs/public-symptoms.md", import.meta.url));
const rows = [...readFileSync(page, "utf8").matchAll(/^\| ([a-z]|\d+) \| (.*) \|$/gm)].map(([, number = "", cells = ""]) => ({
	number,
	cells,
}));
const NUMBERS = [..."abcdefgh", ...Array.from({ length: 17 }, (_, index) => String(index + 1))];

interface NamedTest {
	readonly file: string;
	readonly title: string;
	readonly aCase: string | undefined;
}

const testsIn = (cells: string): readonly NamedTest[] =>
	[...cells.matchAll(/\[[\w-]+\]\(([^)]+\.test\.ts)\): "([^"]+)"(?:, case "([^"]+)")?/g)].map(([, path = "", title = "", aCase]) => ({
		file: join(dirname(page), path),
		title,
		aCase,
	}));

/** What keeps the file from holding such a test that is run; `undefined`: nothing. */
function missing({ file, ...named }: NamedTest): string | undefined {
	return existsSync(file) ? missingIn(readFileSync(file, "utf8"), named) : `there is no ${file}`;
}

function missingIn(text: string, { title, aCase }: Omit<NamedTest, "file">): string | undefined {
	const start = text.search(new RegExp(String.raw`\(\s*${escaped(JSON.stringify(title))},`));
	if (start === -1) return `no test "${title}"`;
	if (/\.(skip|todo)$/.test(text.slice(0, start))) return `"${title}" is not run`;
	return aCase === undefined || text.includes(JSON.stringify(aCase)) ? undefined : `no case "${aCase}" of "${title}"`;
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

describe("docs/public-symptoms.md", () => {
	it("has every symptom once", () => {
		expect(rows.map(({ number }) => number)).toEqual(NUMBERS);
	});

	it.each(rows)("names for $number tests that are there", ({ cells }) => {
		const named = testsIn(cells);
		expect(named.length).toBeGreaterThan(0);
		// what is written in another form than this would not be looked for
		expect(cells.match(/\.test\.ts/g)).toHaveLength(named.length);
		expect(named.flatMap((each) => missing(each) ?? [])).toEqual([]);
	});

	it("would notice a file, a title or a case that is gone, and a test that is not run", () => {
		const named = { title: "a fact", aCase: "some" };
		expect(missing({ ...named, file: `${page}.test.ts` })).toMatch(/^there is no /);
		expect(missingIn('it.each(["some"])("a fact", () => {});', named)).toBeUndefined();
		expect(missingIn('it("a fact that is longer", () => {}); // some, a fact', named)).toBe('no test "a fact"');
		expect(missingIn('it.each(["other"])("a fact", () => {});', named)).toBe('no case "some" of "a fact"');
		expect(missingIn('it.skip("a fact", () => {}); // "some"', named)).toBe('"a fact" is not run');
	});
});
