import { closeSync, constants, openSync, readSync } from "node:fs";

/** How the kernel starts a program. */
export type ProgramFormat =
	| { readonly kind: "machine code" }
	| { readonly kind: "none" }
	| { readonly kind: "script"; readonly interpreter: string };

/** As much of a file as Linux looks at. */
const LOOKED_AT_BYTES = 256;

/** Tells by the first bytes of a file of the host's. `undefined` where this process may not read it. */
export function programFormat(path: string): ProgramFormat | undefined {
	const beginning = beginningOf(path);
	if (beginning === undefined) return undefined;
	if (beginning.startsWith("\x7fELF")) return { kind: "machine code" };
	// A name that does not end within these bytes is cut off, and the kernel runs nothing by it.
	const [, interpreter] = /^#![ \t]*([^ \t\n\0]+)(?:[ \t\n\0]|$)/.exec(beginning) ?? [];
	const isCutOff = beginning.length === LOOKED_AT_BYTES && !/^#![ \t]*[^ \t\n\0]+[ \t\n\0]/.test(beginning);
	if (interpreter === undefined || isCutOff) return { kind: "none" };
	return { kind: "script", interpreter: Buffer.from(interpreter, "latin1").toString() };
}

function beginningOf(path: string): string | undefined {
	const buffer = Buffer.alloc(LOOKED_AT_BYTES);
	try {
		const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
		try {
			return buffer.toString("latin1", 0, readSync(descriptor, buffer));
		} finally {
			closeSync(descriptor);
		}
	} catch {
		return undefined;
	}
}
