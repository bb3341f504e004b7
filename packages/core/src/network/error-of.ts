import { types } from "node:util";
import { messageOf } from "../text/message-of.js";

/** What was thrown as an Error: the very same where it is one, of another realm too, and otherwise one that says what it says and has it as its `cause`. */
export const errorOf = (thrown: unknown): Error => (isError(thrown) ? thrown : new Error(messageOf(thrown), { cause: thrown }));

function isError(thrown: unknown): thrown is Error {
	try {
		return types.isNativeError(thrown) || thrown instanceof Error;
	} catch {
		// a proxy that does not say what it is made after
		return false;
	}
}
