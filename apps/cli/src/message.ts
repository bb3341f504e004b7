import { addAbortSignal } from "node:stream";
import { UsageError } from "./exit.js";
import type { Interrupt } from "./interrupt.js";

/** Far beyond what a model reads, and little enough to hold in memory. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The message as given, or all of standard input for `-`.
 *
 * @param usage How the command is written, for who left the message out.
 */
export async function readMessage(
	argument: string | undefined,
	stdin: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	usage = 'robot-lab run "message" --skills DIR',
): Promise<string> {
	if (argument === undefined)
		throw new UsageError(`The message is missing. Write it before the options (${usage}), or behind --; - reads it from standard input.`);
	const message = argument === "-" ? await readAll(stdin) : argument;
	if (message.trim() !== "") return message;
	throw new UsageError(argument === "-" ? "Standard input held no message." : "The message is empty. Say what the robot is to do.");
}

/** Standard input until the command is interrupted; nothing where the message is not read from it. */
export const inputFor = (argument: string | undefined, { signal }: Interrupt): AsyncIterable<Uint8Array> | Iterable<Uint8Array> =>
	argument === "-" ? addAbortSignal(signal, process.stdin) : [];

async function readAll(stdin: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of stdin) {
		bytes += chunk.length;
		if (bytes > MAX_BYTES)
			throw new UsageError(
				`The message on standard input is longer than ${MAX_BYTES / 1024 / 1024} MiB. Put it into a file and name the file.`,
			);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks)
		.toString("utf8")
		.replace(/^\uFEFF/, "");
}
