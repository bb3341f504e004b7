/** What a profile depends on besides the grant. Gathered from the host, or given to make a profile for another one. All paths are real unless said otherwise. */
export interface HostFacts {
	readonly home: string;
	readonly workingDirectory: string;
	/** Where profiles lie while a script runs. */
	readonly temporaryDirectory: string;
	/** Where spelt paths really lead. What is not here counts as real. */
	readonly realPaths: ReadonlyMap<string, string>;
	/** Symbolic links that a look-up of the grant's, the skill's or the interpreter's paths crosses. */
	readonly links: readonly string[];
	/** What the interpreter and the developer tools need that is not in the system's own directories. */
	readonly toolRoots: readonly string[];
	/** Interpreters of which nothing but their own file is among the tool roots. Default: none. */
	readonly loneInterpreters?: readonly string[];
	/** What is at the paths of the grant. What is not here counts as a directory. Default: nothing is here. */
	readonly kinds?: ReadonlyMap<string, "file" | "nothing">;
	/** Where symbolic links lead that stand in for protected names at the top of what may be written. Default: there are none. */
	readonly protectedTargets?: readonly string[];
}
