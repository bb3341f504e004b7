import { lastPid } from "./proc-files.js";

/**
 * Tells numbers that can belong to processes started from `first` until now. Numbers are given upwards in a circle, so within a time
 * too short for a whole round those are the ones from `first` to the last given, and few processes need to be looked at.
 */
export function pidsSince(first: number): (pid: number) => boolean {
	const last = lastPid();
	return last >= first ? (pid) => pid >= first : (pid) => pid >= first || pid <= last;
}
