import { describe, expect, it } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { arena, endAll, processesWith } from "../arena.js";

const WAYS: readonly (readonly [way: string, code: string])[] = [
	["a session of its own", `setsid bash -c 'trap "" TERM HUP; sleep 60; true' MARKER >/dev/null 2>&1 </dev/null &`],
	["a double fork", `(setsid bash -c 'trap "" TERM HUP; (sleep 60; true) & wait' MARKER & ) >/dev/null 2>&1 </dev/null`],
	["an empty environment and no descriptors", `env -i setsid /bin/bash -c 'exec 0<&- 1>&- 2>&-; trap "" TERM; sleep 60; true' MARKER &`],
	["nohup, holding the output", `nohup bash -c 'trap "" TERM; sleep 60; true' MARKER &`],
];
const READY =
	'for i in $(seq 100); do grep -lqa MARKER $(ls /proc/[0-9]*/cmdline | grep -v "/$$/") 2>/dev/null && break; sleep 0.02; done; echo ready;';

describe.skipIf(noBubblewrap !== undefined)(`outliving a script (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it.each(WAYS)("by %s fails after a normal end and after the time is up, where it works without confinement", async (way, code) => {
		const name = (kind: string): string => `survivor-${process.pid}-${kind}-${way.replaceAll(/\W/g, "")}`;
		const script = (kind: string, end: string): string => `${code}\n${READY}\n${end}`.replaceAll("MARKER", name(kind));
		expect((await arena().unconfined(script("outside", "exit 5"))).exitCode).toBe(5);
		const outside = processesWith(name("outside"));
		endAll(outside);
		expect(outside.length).toBeGreaterThan(0);

		let seen: readonly number[] = [];
		const look = (kind: string) => () => (seen = processesWith(name(kind)));
		const ended = await arena().confined(script("ended", "sleep 0.2; exit 5"), { onOutput: look("ended") });
		expect(ended).toMatchObject({ exitCode: 5, timedOut: false });
		expect(seen.length).toBeGreaterThan(0);
		expect(processesWith(name("ended"))).toEqual([]);

		seen = [];
		const timedOut = await arena().confined(script("timed", "trap '' TERM; sleep 60; sleep 60"), {
			// Time enough to get ready on a busy computer too.
			grant: { timeout: 4 },
			onOutput: look("timed"),
		});
		expect(timedOut.timedOut).toBe(true);
		expect(seen.length).toBeGreaterThan(0);
		expect(processesWith(name("timed"))).toEqual([]);
	});
});
