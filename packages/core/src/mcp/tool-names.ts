import { createHash } from "node:crypto";

/** A tool of a server, by the names both have given themselves. */
export interface RemoteName {
	readonly server: string;
	readonly tool: string;
}

const LONGEST = 64;

/** From the plainest name on; what collides gets the next. */
const STYLES: readonly ((name: RemoteName) => string)[] = [
	({ tool }) => safe(tool),
	({ server, tool }) => `${safe(server)}_${safe(tool)}`,
	(name) => `${safe(name.server).slice(0, 20)}_${safe(name.tool).slice(0, 30)}_${hashOf(name).slice(0, 8)}`,
];

/**
 * The names under which tools are offered to a model, in order: 1 to 64 letters, digits, `_` or `-`, no two the same or different in
 * case only. A tool keeps its own name where no other has it; where servers share one, each gets the server's name in front.
 *
 * @param names No pair may occur twice.
 * @param taken Names of other tools, which none of these may have.
 */
export function toolNames(names: readonly RemoteName[], taken: Iterable<string> = []): readonly string[] {
	const others = [...taken].map((name) => name.toLowerCase());
	const styles = names.map((): number => 0);
	for (;;) {
		const offered = names.map((name, index) => styled(name, styles[index] ?? 0));
		const colliding = collisionsIn(offered, others);
		if (colliding.length === 0) return offered;
		for (const index of colliding) styles[index] = (styles[index] ?? 0) + 1;
	}
}

/** Beyond the styles a hash of both names, which cannot be had by choosing a name, and another one each time: somebody may have taken it. */
function styled(name: RemoteName, style: number): string {
	return STYLES[style]?.(name) ?? `mcp_${hashOf(name, style).slice(0, LONGEST - 4)}`;
}

/** Too long counts as a collision: the next style is shorter. */
function collisionsIn(offered: readonly string[], others: readonly string[]): readonly number[] {
	const holders = new Map(others.map((name) => [name, 1]));
	for (const name of offered) holders.set(name.toLowerCase(), (holders.get(name.toLowerCase()) ?? 0) + 1);
	return offered.flatMap((name, index) => (name.length > LONGEST || (holders.get(name.toLowerCase()) ?? 0) > 1 ? [index] : []));
}

const safe = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, "_") || "tool";

const hashOf = ({ server, tool }: RemoteName, salt = 0): string =>
	createHash("sha256")
		.update(JSON.stringify(salt === 0 ? [server, tool] : [server, tool, salt]))
		.digest("hex");
