/** What the mounts depend on besides the grant. Gathered from the host, or given to plan for another one. */
export interface BubblewrapHost {
	/** Real path of the home directory; it becomes an empty one. */
	readonly home: string;
	/** The user's and group's numbers inside. Never 0: root inside is more than anybody needs. */
	readonly uid: number;
	readonly gid: number;
	/** The user's name inside. */
	readonly userName: string;
	/** The directories of the system that there are, each with what it links to where it is a link. */
	readonly systemDirectories: ReadonlyMap<string, string | undefined>;
	/** The system's files that there are, and where they really lie. */
	readonly systemFiles: ReadonlyMap<string, string>;
	/** What the interpreter needs that is not in the system's directories. */
	readonly toolRoots: readonly string[];
	/** Symbolic links that a look-up of what is granted crosses, and what they say. */
	readonly links: ReadonlyMap<string, string>;
	/** Of the paths asked about, those that exist. */
	readonly existing: ReadonlySet<string>;
	/** Files where a protected name needs a directory, such as a `.git` that says where the repository is. */
	readonly filesOnTheWay: ReadonlySet<string>;
	/** Where spelt paths really lead. What is not here counts as real. */
	readonly realPaths: ReadonlyMap<string, string>;
}
