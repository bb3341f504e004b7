import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noBubblewrap } from "../support/no-bubblewrap.js";
import { put } from "../support/workshop.js";
import { arena } from "./arena.js";

describe.skipIf(noBubblewrap !== undefined)(`the note of a run under bubblewrap (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("says what was made and what was granted: a script hides neither by the other", async () => {
		const { confined, out, in: input } = arena();
		const granted = `The sandbox may have refused this. Granted: read ${JSON.stringify(input)}, write ${JSON.stringify(out)}, network no.`;
		const attack = 'touch "$OUT/.envrc"; cat /etc/shadow; exit 1';
		const { note, output } = await confined(attack);
		expect(output).toContain("/etc/shadow");
		expect(note).toBe(
			`Made during this run, and read or run by programs of the host later: ${JSON.stringify(join(out, ".envrc"))}. Tell the user, who should look at it before anybody works there. ${granted}`,
		);
		// Controls: each alone, and neither.
		expect((await confined("cat /etc/shadow; exit 1")).note).toBe(granted);
		expect((await confined('touch "$OUT/.profile"')).note).toMatch(/^Made during this run.*\.profile.* works there\.$/);
		expect((await confined("true")).note).toBeUndefined();
	});

	it("says what was granted whatever limits a script may have reached", async () => {
		const { confined, out } = arena();
		put(join(out, "full"), "");
		const { note } = await confined("echo 'Cannot allocate memory'; cat /etc/shadow; exit 1", { grant: { limits: { memoryMb: 500 } } });
		expect(note).toMatch(/^The script may have reached limits\.memoryMb \(500\)\. The sandbox may have refused this\. Granted: /);
	});
});
