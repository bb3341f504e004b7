/** One process, told apart from a later one that got the same number. */
export interface ProcessIdentity {
	readonly pid: number;
	/** When it started, in the words of the system's own table. Two processes of one pid differ in it. */
	readonly start: string;
}

/** One line of the system's process table. */
export interface ProcessEntry extends ProcessIdentity {
	readonly parent: number;
	readonly group: number;
	readonly session: number;
	/** False for a process that has ended and only waits for its parent to ask. */
	readonly alive: boolean;
}
