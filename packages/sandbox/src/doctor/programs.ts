import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { findProgram } from "@robot-lab/core/process";

/** Programs that on a Mac without developer tools ask the person at the screen to install them. */
const SHIMS = ["/usr/bin/git", "/usr/bin/python3"];
const DEVELOPER_TOOLS = ["/Library/Developer/CommandLineTools/usr/bin", "/var/db/xcode_select_link", "/Applications/Xcode.app"];

type Command = (file: string) => readonly string[] | string;

/** Runs a script by the program of that name which `PATH` leads to. */
export function byName(name: string): Command {
	return (file) => {
		const found = findProgram(name, "/", process.env.PATH ?? "");
		return "path" in found ? (whyNot(found.path) ?? [name, file]) : `${name} is not on PATH`;
	};
}

/** Runs a script by the first program there is of several, each a path in which one `*` is any name. */
export function byPlace(patterns: () => readonly string[]): Command {
	return (file) => {
		const wanted = patterns();
		const path = wanted.flatMap(matching).find(isExecutable);
		return path === undefined ? `not installed (${wanted.join(", ")})` : (whyNot(path) ?? [path, file]);
	};
}

function whyNot(path: string): string | undefined {
	if (process.platform !== "darwin" || !SHIMS.includes(path) || DEVELOPER_TOOLS.some((place) => existsSync(place))) return undefined;
	return "the developer tools are not installed (xcode-select --install)";
}

/** The last one first: of versions it is the newest, more or less. */
function matching(pattern: string): readonly string[] {
	const [before, after] = pattern.split("*", 2);
	if (before === undefined || after === undefined) return [pattern];
	try {
		return readdirSync(before)
			.sort()
			.reverse()
			.map((name) => `${before}${name}${after}`);
	} catch {
		return [];
	}
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
