import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { reloadConfig } from "@robot-lab/core";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { measureCollection } from "../../src/compatibility/collection.js";
import { isReadBy, readerOf, worksInReference } from "../../src/compatibility/reader.js";
import { reportOf } from "../../src/compatibility/report.js";

afterEach(() => reloadConfig());

/** A collection called `owner/name`. Files whose names end in `!` are executable. */
function collection(files: Readonly<Record<string, string>>): string {
	const top = mkdtempSync(join(tmpdir(), "robot-lab-collection-"));
	onTestFinished(() => rmSync(top, { recursive: true, force: true }));
	for (const [name, text] of Object.entries(files)) {
		const path = join(top, "owner/name", name.replace("!", ""));
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
		if (name.endsWith("!")) chmodSync(path, 0o755);
	}
	return join(top, "owner/name");
}

const skillMd = (name: string): string => `---\nname: ${name}\ndescription: Does.\n---\n`;
const headsIn = (text: string): readonly string[] => [...text.matchAll(/^(\|.*)\n\| --- \|/gm)].map(([, head = ""]) => head);

test("a bundle is usable by the rule that lets one of its scripts be read by its own program", async () => {
	const folder = collection({
		"a-shell/SKILL.md": skillMd("a-shell"),
		"a-shell/scripts/run.sh!": "# Runs it all.\necho\n",
		"python/SKILL.md": skillMd("python"),
		"python/scripts/run.py!": '"""Runs it all."""\nprint(1)\n',
		"no-bit/SKILL.md": skillMd("no-bit"),
		"no-bit/scripts/run.sh": "# Runs it all.\necho\n",
		"deep/SKILL.md": skillMd("deep"),
		"deep/scripts/in/run.py": '#!/usr/bin/env python3\n"""Runs it all."""\nprint(1)\n',
		"data/SKILL.md": skillMd("data"),
		"data/scripts/data.json!": "{}",
		"none/SKILL.md": skillMd("none"),
	});
	const figures = await measureCollection(folder);
	expect(figures.usable).toEqual({ withDirectory: 5, reference: 1, executable: 2, any: 3, nested: 4, misread: [] });
	expect(figures).not.toHaveProperty("snapshot");
	const report = reportOf([figures, figures]);
	expect(report).toContain(
		"| owner/name | 5 | 1 | 2 | 3 | 4 | 0 |\n| owner/name | 5 | 1 | 2 | 3 | 4 | 0 |\n| all | 10 | 2 | 4 | 6 | 8 | 0 |\n",
	);
	expect(report).toContain("| owner/name | no checkout |  |");
});

test("who reads a script is said by its first line, then by its extension, and the reference has bash read all", () => {
	const readers = [
		["a.sh", "#!/usr/bin/env -S FOO=1 uv run\n", "uv"],
		["a", "#! /bin/dash -e\n", "dash"],
		["a.PY", "print(1)\n", "python3"],
		["a.txt", "x", undefined],
	] as const;
	expect(readers.map(([path, text]) => readerOf(path, text))).toEqual(readers.map(([, , reader]) => reader));
	expect([isReadBy(["nice", "/usr/bin/uv", "/x/uv"], "uv"), isReadBy(["bash", "/x/python3"], "python3")]).toEqual([true, false]);
	expect([worksInReference("bash", 0o755), worksInReference("bash", 0o644), worksInReference("python3", 0o755)]).toEqual([
		true,
		false,
		false,
	]);
});

test("docs/compatibility.md has the tables as the program prints them, and their sums are right", async () => {
	const page = readFileSync(new URL("../../../../docs/compatibility.md", import.meta.url), "utf8");
	expect(headsIn(page)).toEqual(headsIn(reportOf([await measureCollection(collection({ "a/SKILL.md": skillMd("a") }))])));
	for (const [, rows = "", all = ""] of page.matchAll(/^\| collection .*\n\| ---.*\n((?:\|.*\n)*)(\| all \|.*)$/gm)) {
		const numbers = (row: string): readonly number[] => row.split("|").slice(2, -1).map(Number);
		const sums = rows
			.trim()
			.split("\n")
			.map(numbers)
			.reduce((sum, row) => sum.map((each, column) => each + (row[column] ?? 0)));
		expect(numbers(all)).toEqual(sums);
	}
});
