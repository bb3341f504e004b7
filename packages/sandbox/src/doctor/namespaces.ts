import { readlinkSync } from "node:fs";

/** Those that a script under bubblewrap always has of its own, without the network. Not the one of cgroups: bubblewrap makes it where it can. */
export const NAMESPACES: readonly string[] = ["ipc", "mnt", "net", "pid", "user", "uts"];

/** This process's, by what the kernel calls them, in words; empty where there is no such thing. */
export const ownNamespaces = (): string =>
	process.platform === "linux" ? NAMESPACES.map((name) => readlinkSync(`/proc/self/ns/${name}`)).join(" ") : "";
