/** What kind of thing a path leads to. A terminal is a character device too. */
export type VnodeType = "REGULAR-FILE" | "DIRECTORY" | "BLOCK-DEVICE" | "CHARACTER-DEVICE" | "SYMLINK" | "SOCKET" | "FIFO" | "TTY";

/** Which process an operation is aimed at, seen from the one that is confined. */
export type ProcessTarget = "self" | "pgrp" | "others" | "children" | "same-sandbox" | "initproc";

/**
 * What an operation is about. Only what matters for the operation has to be given; an answer that would depend on something
 * that is not given is an error, never a guess.
 */
export interface ProfileQuery {
	/** A path as the kernel sees it: absolute, symbolic links resolved (`/private/tmp/x`, not `/tmp/x`), no trailing slash. */
	readonly path?: string;
	readonly vnodeType?: VnodeType;
	/** Permission bits, e.g. `0o644`. */
	readonly fileMode?: number;
	/** The name of what is looked up, read or changed: a mach service, a sysctl, a POSIX IPC object, a preference domain, … */
	readonly name?: string;
	/** The name of a mach service that only this login session has. */
	readonly localName?: string;
	readonly xpcServiceName?: string;
	readonly target?: ProcessTarget;
	/** The other end of a connection, `"HOST:PORT"` with an optional `tcp://` (default) or `udp://`, e.g. `"1.2.3.4:443"`, `"[::1]:80"`. HOST is an address or `localhost`. */
	readonly remote?: string;
	/** This end of a connection, in the same form. */
	readonly local?: string;
	readonly socketDomain?: string;
	readonly socketType?: string;
	readonly socketProtocol?: number;
	readonly controlName?: string;
	/** The program that asks, by its path. */
	readonly processPath?: string;
	/** Sandbox extensions the process holds. Default: none. */
	readonly extensions?: readonly string[];
}

/** The attributes of a question, as filters read them. */
export type QueryAttribute = keyof ProfileQuery;
