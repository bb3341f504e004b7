import type { OfferedTool } from "./offered-tool.js";

/** As a message asks for a skill by name. */
const FIRST_WORD = /^\s*[/$]([^\s,:/$]+)[,:]?(?=\s|$)/u;

/** What a message asks for, and which tools may do it. */
export interface Wish {
	readonly message: string;
	readonly tools: readonly OfferedTool[];
}

/** Of `/log-report why?` the rest, and the scripts of that skill, whose names begin with its own. A word that begins no tool's name stays: it may be a path. */
export function namedTools(message: string, tools: readonly OfferedTool[]): Wish {
	const named = new Set<OfferedTool>();
	let rest = message;
	for (;;) {
		const [written = "", word = ""] = FIRST_WORD.exec(rest) ?? [];
		const own = word === "" ? [] : tools.filter(({ name }) => plain(name).startsWith(`${plain(word)}__`));
		if (own.length === 0) return named.size === 0 ? { message, tools } : { message: rest, tools: [...named] };
		for (const tool of own) named.add(tool);
		rest = rest.slice(written.length);
	}
}

/** Names of tools have fewer characters than those of skills. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "_");
