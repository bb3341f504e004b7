import { describe, expect, it, vi } from "vitest";
import { settled } from "../stream/publishing.js";
import { Place } from "./asking.js";

const MAY_IT = { question: "May it run?", choices: ["once", "no"], default: "no" };
const DROPPED = "(what was typed before this question is no answer to it)";
const fresh = { dropTypedAhead: true };

/** A place whose input says that it is a terminal, and notes whether keys come one by one. */
function terminal(): { readonly place: Place; readonly modes: boolean[] } {
	const place = new Place();
	const modes: boolean[] = [];
	const setRawMode = (isRaw: boolean): void => void modes.push(isRaw);
	Object.assign(place.input, { isTTY: true, setRawMode });
	return { place, modes };
}

describe("askUser() that drops what was typed ahead", () => {
	it("takes no line, and no unfinished one, that a terminal had before the question, and takes the one after it", async () => {
		const { place, modes } = terminal();
		place.input.write("1\n1\nonc");
		const answer = place.ask(MAY_IT, undefined, fresh);
		await place.shows("  2) no\n");
		place.input.write("e\n1\n");
		await place.shows("Answer (1-2) [no]: ");
		expect(place.written.split("\n").slice(-2)).toEqual([DROPPED, "Answer (1-2) [no]: "]);
		expect(modes).toEqual([true, false]);
		place.input.write("2\nrest");
		expect(await answer).toEqual({ text: "no", isError: false });
		expect([String(place.input.read()), place.input.isPaused()]).toEqual(["rest", true]);
	});

	it("drops it before each time that it asks, and says nothing where there was none", async () => {
		const { place } = terminal();
		const answer = place.ask(MAY_IT, undefined, fresh);
		await place.shows("Answer (1-2) [no]: ");
		expect(place.written).not.toContain(DROPPED);
		place.input.write("green\n1\n");
		await place.shows("Answer (1-2) [no]: ", 2);
		expect(place.written).toContain(DROPPED);
		place.input.write("\n");
		expect((await answer).text).toBe("no");
	});

	it("stops when the question is called off, and when the input ends, and has nobody's answer then", async () => {
		const { place, modes } = terminal();
		const controller = new AbortController();
		const answer = place.ask(MAY_IT, { signal: controller.signal }, fresh);
		await place.shows("  2) no\n");
		await settled();
		controller.abort();
		expect((await answer).isError).toBe(true);
		expect([modes, place.input.listenerCount("readable")]).toEqual([[true, false], 0]);
		const ended = terminal();
		ended.place.input.end("1\n");
		expect((await ended.place.ask(MAY_IT, undefined, fresh)).text).toBe("no");
	});

	it("interrupts the process where Ctrl-C is among the keys, as the terminal would have", async () => {
		const kill = vi.spyOn(process, "kill").mockReturnValue(true);
		try {
			const { place } = terminal();
			const answer = place.ask(MAY_IT, undefined, fresh);
			place.input.write("1\u0003");
			await place.shows("Answer");
			place.input.write("\n");
			await answer;
			expect(kill.mock.calls).toEqual([[process.pid, "SIGINT"]]);
		} finally {
			kill.mockRestore();
		}
	});

	it("reads what is no terminal as it comes", async () => {
		const place = new Place();
		place.input.write("1\n");
		expect((await place.ask(MAY_IT, undefined, fresh)).text).toBe("once");
	});
});
