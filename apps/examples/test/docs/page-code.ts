import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What a block of code must print, and what is asked of it besides, in code put behind it. */
export interface Promised {
	readonly prints: RegExp;
	readonly behind?: string;
}

/** Compiles and runs every block of TypeScript on a page of docs/, each by itself, beside the files that the page shows (```md path, and so on with yaml, js and py). `promises` has them by the heading they stand below. */
export function describePage(name: string, promises: Readonly<Record<string, Promised>>): void {
	const page = readFileSync(join(root, "../../docs", name), "utf8");
	const blocks = new Map(
		[...page.matchAll(/^## (.*?)\n(?:(?!^## )[\s\S])*?^```ts\n([\s\S]*?)^```/gm)].map(([, title = "", code = ""]) => [title, code]),
	);

	mkdirSync(join(root, ".reports"), { recursive: true });
	// inside the package, so that the packages are found by their names
	const directory = mkdtempSync(join(root, ".reports/docs-"));
	afterAll(() => rmSync(directory, { recursive: true, force: true }));

	for (const [, path = "", text = ""] of page.matchAll(/^```(?:md|yaml|js|py) (\S+)\n([\s\S]*?)^```/gm)) {
		mkdirSync(dirname(join(directory, path)), { recursive: true });
		writeFileSync(join(directory, path), text);
	}
	const files = [...blocks].map(([title, code], index) => {
		const file = join(directory, `block-${index}.ts`);
		writeFileSync(file, `${code}\n${promises[title]?.behind ?? ""}\nexport {};\n`);
		return { title, file };
	});

	describe(`the code in docs/${name}`, () => {
		it("stands below these headings", () => {
			expect([...blocks.keys()]).toEqual(Object.keys(promises));
			expect(page.match(/^```ts$/gm)?.length).toBe(blocks.size);
		});

		it("compiles as strictly as the project", () => {
			expect(compile(directory)).toBe("");
		});

		it.each(files)("does what it says: $title", ({ title, file }) => {
			const { stdout, stderr, status } = spawnSync(process.execPath, [file], { cwd: directory, encoding: "utf8", timeout: 50_000 });
			expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
			expect(stdout).toMatch(promises[title]?.prints ?? /never/);
		});
	});
}

/** Says what is wrong with the TypeScript in a directory. */
function compile(directory: string): string {
	const { compilerOptions } = JSON.parse(readFileSync(join(root, "../../tsconfig.base.json"), "utf8")) as { compilerOptions: object };
	const off = { composite: false, incremental: false, isolatedDeclarations: false, declaration: false, declarationMap: false };
	const options = { ...compilerOptions, ...off, noEmit: true, types: ["node"] };
	const config = join(directory, "tsconfig.json");
	writeFileSync(config, JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
	return spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", config], { encoding: "utf8" }).stdout;
}
