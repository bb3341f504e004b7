import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of made-up bundles, in the mixture in which twelve public collections have them. */
export interface SkillBundles {
	readonly root: string;
	/** The paths of all SKILL.md files. */
	readonly files: readonly string[];
	/** Characters of the instructions in all of them. */
	readonly bodyLength: number;
	readonly dispose: () => void;
}

const WORDS = "report table server log release invoice chart customer deploy schema review draft parser metric policy sketch".split(" ");

export function makeBundles(count: number): SkillBundles {
	const root = mkdtempSync(join(tmpdir(), "robot-lab-bench-skills-"));
	const files: string[] = [];
	let bodyLength = 0;
	for (let index = 0; index < count; index++) {
		const name = `skill-${index}`;
		const directory = join(root, name);
		mkdirSync(directory);
		const body = bodyOf(index);
		bodyLength += body.length;
		const file = join(directory, "SKILL.md");
		writeFileSync(file, `---\n${frontMatterOf(index, name).join("\n")}\n---\n\n${body}\n`);
		files.push(file);
		if (index % 14 === 0) addScripts(directory);
	}
	return { root, files, bodyLength, dispose: () => rmSync(root, { recursive: true, force: true }) };
}

/** One in 28 has a folded description, one in 4 metadata, one in 22 tools. Names are those of the directories: loaders that are strict leave out others. */
function frontMatterOf(index: number, name: string): string[] {
	const text = `${sentence(index, 14)} Use it when somebody asks for the ${word(index)} of a ${word(index * 7)}, or says ${word(index * 3)}.`;
	const lines = [`name: ${name}`];
	if (index % 28 === 5) lines.push("description: >-", `  ${text}`, `  ${sentence(index + 1, 9)}`);
	else lines.push(`description: ${index % 3 === 0 ? `"${text}"` : text}`);
	if (index % 2 === 0) lines.push("license: MIT");
	if (index % 4 === 1) lines.push("metadata:", "  author: example-org", `  version: "1.${index}"`);
	if (index % 22 === 7) lines.push("allowed-tools: Bash(git:*) Read");
	return lines;
}

function bodyOf(index: number): string {
	const lines = [`# ${word(index)} ${index}`, ""];
	for (let line = 0; line < 80 + (index % 120); line++)
		lines.push(line % 12 === 0 ? `## ${sentence(index + line, 3)}` : sentence(index * 31 + line, 11));
	return lines.join("\n");
}

/** One of them is no tool, since it cannot be executed, which is a diagnostic. */
function addScripts(directory: string): void {
	mkdirSync(join(directory, "scripts"));
	writeFileSync(join(directory, "scripts", "run.py"), '#!/usr/bin/env python3\n"""Makes the table."""\nprint("done")\n', { mode: 0o755 });
	writeFileSync(join(directory, "scripts", "check.sh"), "#!/bin/sh\n# Checks the table.\necho done\n", { mode: 0o644 });
}

const word = (index: number): string => WORDS[index % WORDS.length] ?? "";

function sentence(start: number, length: number): string {
	const words = Array.from({ length }, (_, index) => word(start + index * 5));
	return `${(words[0] ?? "").replace(/^./, (letter) => letter.toUpperCase())} ${words.slice(1).join(" ")}.`;
}
