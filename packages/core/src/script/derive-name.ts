import { createHash } from "node:crypto";
import { basename, extname } from "node:path";

/**
 * The name of a script's tool: the file's name without its last extension, every run of other characters than ASCII letters
 * and digits an underscore, none at the ends. A name with no such letter becomes `script_` and a hash of the file's name.
 */
export function deriveName(scriptPath: string): string {
	return nameFrom(basename(scriptPath));
}

/**
 * One name per script, in order: first of those directly in `scripts/`, then of those below its directories, which have the names of these in
 * front. Scripts whose names clash get their extension added, and a number when that does not part them. What is nested changes no name of the others.
 */
export function deriveNames(scriptPaths: readonly string[], nestedFiles: readonly string[] = []): readonly string[] {
	const taken = new Set<string>();
	return [...part(scriptPaths, scriptPaths.map(deriveName), taken), ...part(nestedFiles, nestedFiles.map(nameFrom), taken)];
}

function nameFrom(file: string): string {
	const stem = file.slice(0, file.length - extname(file).length);
	const name = identifier(stem);
	return name === "" ? `script_${createHash("sha256").update(file).digest("hex").slice(0, 8)}` : name;
}

function part(files: readonly string[], plain: readonly string[], taken: Set<string>): readonly string[] {
	const counts = new Map<string, number>();
	for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
	const isLone = (name: string): boolean => counts.get(name) === 1 && !earlier.has(name);
	const earlier = new Set(taken);
	const numbers = new Map<string, number>();
	for (const name of plain) if (isLone(name)) taken.add(name);
	return files.map((file, index) => {
		const name = plain[index] as string;
		if (isLone(name)) return name;
		const extension = identifier(extname(file));
		return reserve(taken, extension === "" ? name : `${name}_${extension}`, numbers);
	});
}

/** @param numbers By name, the last number it was given. */
function reserve(taken: Set<string>, wanted: string, numbers: Map<string, number>): string {
	let name = wanted;
	let number = numbers.get(wanted) ?? 1;
	while (taken.has(name)) name = `${wanted}_${++number}`;
	numbers.set(wanted, number);
	taken.add(name);
	return name;
}

const identifier = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_|_$/g, "");
