import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { arena } from "../arena.js";

const ALIAS = 'cat "$IN/note"; ln "$IN/note" "$OUT/alias" && echo linked; echo changed > "$OUT/alias"; true';

describe.skipIf(noBubblewrap !== undefined)(`a hard link to what may only be read (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("cannot be made where it could be written, where the same script without confinement writes through it", async () => {
		const control = arena();
		expect((await control.unconfined(ALIAS)).output).toBe("granted\nlinked\n");
		expect(readFileSync(join(control.in, "note"), "utf8")).toBe("changed\n");

		const host = arena();
		const { output } = await host.confined(ALIAS);
		expect(output).toMatch(/^granted\n/);
		expect(output).toContain("Invalid cross-device link");
		expect(output).not.toContain("linked");
		expect(readFileSync(join(host.in, "note"), "utf8")).toBe("granted\n");
		expect(statSync(join(host.in, "note")).nlink).toBe(1);
	});

	it("cannot be made of the skill's own script or of a program of the system", async () => {
		const { confined, out, skillDir } = arena();
		const { output } = await confined('ln "$0" "$OUT/script"; ln /usr/bin/env "$OUT/env"; ls "$OUT"');
		expect(output.match(/Invalid cross-device link/g)?.length).toBe(2);
		expect(output).toMatch(/\nown\n$/);
		expect(statSync(join(skillDir, "scripts", "attack")).nlink).toBe(1);
		expect(readdirSync(out)).toEqual(["own"]);
	});

	it("control: a hard link inside what may be written can be made", async () => {
		expect((await arena().confined('ln "$OUT/own" "$OUT/alias" && cat "$OUT/alias"')).output).toBe("mine\n");
	});
});
