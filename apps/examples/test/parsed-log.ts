import { readFileSync } from "node:fs";
import { log } from "./run-script.js";

export interface LoggedRequest {
	readonly client: string;
	readonly hour: number;
	readonly path: string | undefined;
	readonly status: number;
	readonly bytes: number;
	readonly seconds: number;
}

/** The shipped log read a second way, by the fixed columns its generator writes, to check the scripts' figures against. */
export function parsedLog(): LoggedRequest[] {
	const lines = readFileSync(log, "utf8").trimEnd().split("\n");
	return lines.map((line) => {
		const [before = "", request = "", numbers = "", , , , seconds = ""] = line.split('"');
		const [status = "", bytes = ""] = numbers.trim().split(" ");
		return {
			client: before.slice(0, before.indexOf(" ")),
			hour: Number(before.slice(before.indexOf(":") + 1, before.indexOf(":") + 3)),
			path: request.split(" ")[1]?.split("?")[0],
			status: Number(status),
			bytes: Number(bytes),
			seconds: Number(seconds),
		};
	});
}

/** How often each key occurs, most often first, the alphabet deciding among equals. */
export function tally(keys: readonly string[]): [string, number][] {
	const counts = new Map<string, number>();
	for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
	return [...counts].sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1));
}
