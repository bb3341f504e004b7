import { createHash } from "node:crypto";

/** A tool of a server, by the names both have given themselves. */
export interface RemoteName {
	readonly server: string;
	readonly tool: string;
}

const LONGEST = 64;

/** From the plainest name on; what collides gets the next. The last is a hash of both names, which cannot be had by choosing a name. */
const STYLES: readonly ((name: RemoteName) => string)[] = [
	({ tool }) => safe(tool),
	({ server, tool }) => `${safe(server)}_${safe(tool)}`,
	(name) => `${safe(name.server).slice(0, 20)}_${safe(name.tool).slice(0, 30)}_${hashOf(name).slice(0, 8)}`,
	(name) => `mcp_${hashOf(name).slice(0, LONGEST - 4)}`,
];

/**
 * The names under which tools are offered to a model, in order: 1 to 64 letters, digits, `_` or `-`, no two the same or different in
 * case only. A tool keeps its own name where no other has it; where servers share one, each gets the server's name in front.
 *
 * @param names No pair may occur twice.
 */
export function toolNames(names: readonly RemoteName[]): readonly string[] {
	const styles = names.map((): number => 0);
	for (;;) {
		const offered = names.map((name, index) => STYLES[styles[index] ?? 0]?.(name) ?? "");
		const colliding = collisionsIn(offered);
		if (colliding.length === 0) return offered;
		for (const index of colliding) styles[index] = Math.min((styles[index] ?? 0) + 1, STYLES.length - 1);
	}
}

/** Too long counts as a collision: the next style is shorter. */
function collisionsIn(offered: readonly string[]): readonly number[] {
	const holders = new Map<string, number>();
	for (const name of offered) holders.set(name.toLowerCase(), (holders.get(name.toLowerCase()) ?? 0) + 1);
	return offered.flatMap((name, index) => (name.length > LONGEST || (holders.get(name.toLowerCase()) ?? 0) > 1 ? [index] : []));
}

const safe = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, "_") || "tool";

const hashOf = ({ server, tool }: RemoteName): string =>
	createHash("sha256")
		.update(JSON.stringify([server, tool]))
		.digest("hex");
