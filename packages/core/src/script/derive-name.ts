import { createHash } from "node:crypto";
import { basename, extname } from "node:path";

/**
 * The name of a script's tool: the file's name without its last extension, every run of other characters than ASCII letters
 * and digits an underscore, none at the ends. A name with no such letter becomes `script_` and a hash of the file's name.
 */
export function deriveName(scriptPath: string): string {
	const file = basename(scriptPath);
	const stem = file.slice(0, file.length - extname(file).length);
	const name = identifier(stem);
	return name === "" ? `script_${createHash("sha256").update(file).digest("hex").slice(0, 8)}` : name;
}

/** One name per script, in order. Scripts whose names clash get their extension added, and a number when that does not part them. */
export function deriveNames(scriptPaths: readonly string[]): readonly string[] {
	const plain = scriptPaths.map(deriveName);
	const taken = new Set(plain.filter((name) => plain.indexOf(name) === plain.lastIndexOf(name)));
	return scriptPaths.map((path, index) => {
		const name = plain[index] as string;
		if (taken.has(name) && plain.indexOf(name) === plain.lastIndexOf(name)) return name;
		const extension = identifier(extname(path));
		return reserve(taken, extension === "" ? name : `${name}_${extension}`);
	});
}

function reserve(taken: Set<string>, wanted: string): string {
	let name = wanted;
	for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
	taken.add(name);
	return name;
}

const identifier = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_|_$/g, "");
