import { join, relative } from "node:path";
import { isAtOrBelow } from "../paths/segments.js";
import type { ToolContext } from "../tool/tool.js";

/** The path by which a bundle's tools were made, and the directory in which its scripts are to be started instead. Both absolute. */
export interface MovedBundle {
	readonly from: string;
	readonly to: string;
}

/** On the context of one call, where it stays when somebody who wraps the tool copies that, also for another copy of this package. */
const KEY: unique symbol = Symbol.for("@robot-lab/core/moved-bundle/v1") as never;

/** The context of a call that starts what lies in the one directory by the other. */
export const inMovedBundle = (context: ToolContext, bundle: MovedBundle): ToolContext => Object.assign({ ...context }, { [KEY]: bundle });

/** A path as a call is to use it. */
export function movedPath(path: string, context: ToolContext): string {
	const bundle = (context as { readonly [KEY]?: MovedBundle })[KEY];
	return bundle !== undefined && isAtOrBelow(path, bundle.from) ? join(bundle.to, relative(bundle.from, path)) : path;
}
