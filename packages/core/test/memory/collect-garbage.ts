import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { settled } from "../stream/publishing.js";

/** Frees what nothing refers to any more, but for weak references. */
export async function collectGarbage(): Promise<void> {
	await settled();
	setFlagsFromString("--expose-gc");
	(runInNewContext("gc") as () => void)();
}
