import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const examples = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(examples, path), "utf8");

/** The programs of a folder. */
export interface Programs {
	readonly folder: string;
	readonly count: number;
	/** Files that programs share, or start: no programs of their own. */
	readonly parts?: readonly string[];
}

/** Tests that each program has its row in README.md, is short, ends well, and prints what it promises. */
export function heldToWhatTheyPrint({ folder, count, parts = [] }: Programs): void {
	/** The rows of the table in README.md: a program, where it is, what it prints, how it is run. */
	const rows = [
		...read("README.md").matchAll(
			/^\| [^|]+ \| \[(?<name>[^\]]+)\]\((?<program>src\/[^)]+)\), \[prints\]\((?<printed>[^)]+)\) \| [^|]+ \| `node (?<file>\S+)` \|$/gm,
		),
	]
		.map(({ groups }) => groups as Record<"name" | "program" | "printed" | "file", string>)
		.filter(({ program }) => program.startsWith(`src/${folder}/`));

	const namesIn = (directory: string, extension: string): readonly string[] =>
		readdirSync(join(examples, directory))
			.filter((file) => file.endsWith(extension))
			.map((file) => file.slice(0, -extension.length))
			.filter((name) => !parts.includes(name))
			.sort();

	it("README.md has one row for each program, and a program for each row", () => {
		const names = rows.map(({ name }) => name).sort();
		expect(names).toHaveLength(count);
		expect(namesIn(`src/${folder}`, ".ts")).toEqual(names);
		expect(namesIn(`test/${folder}/printed`, ".txt")).toEqual(names);
		for (const { name, program, printed, file } of rows) {
			expect([program, printed]).toEqual([`src/${folder}/${name}.ts`, `test/${folder}/printed/${name}.txt`]);
			expect(file).toBe(`apps/examples/dist/${folder}/${name}.js`);
		}
	});

	it("no program is longer than 120 lines", () => {
		for (const { program } of rows) expect([program, read(program).split("\n").length <= 120]).toEqual([program, true]);
	});

	it.each(rows)("$name ends with 0 and prints exactly what it promises, without a key", ({ file, printed }) => {
		const { PATH = "", HOME = "" } = process.env;
		// as the README says it: in the top directory of the repository
		const run = spawnSync(process.execPath, [file], { cwd: join(examples, "../.."), encoding: "utf8", env: { PATH, HOME } });
		expect(run).toMatchObject({ status: 0, stderr: "" });
		expect(run.stdout).toBe(read(printed));
	});
}
