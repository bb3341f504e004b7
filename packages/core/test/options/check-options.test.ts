import { expect, it } from "vitest";
import { isSignal } from "../../src/options/check-options.js";

const listens = { addEventListener: () => {} };

it("isSignal takes what has all that is used of a signal, of whichever realm", () => {
	expect(isSignal(new AbortController().signal)).toBe(true);
	expect(isSignal({ aborted: false, ...listens, removeEventListener: () => {} })).toBe(true);
	for (const other of [
		undefined,
		null,
		0,
		{},
		{ aborted: false, ...listens },
		{ ...listens, removeEventListener: () => {} },
		new EventTarget(),
	])
		expect(isSignal(other)).toBe(false);
});
