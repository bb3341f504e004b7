import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { arena } from "../arena.js";

const MIB = 1024 * 1024;

/** Writes 300 MiB into each place and says how much of it there was room for. */
const FILL = `for place in /dev/shm /tmp "$HOME" /dev /; do
	head -c ${300 * MIB} /dev/zero 2>/dev/null > "$place/filled"; echo "$place=$(stat -c %s "$place/filled" 2>/dev/null || echo none)"; rm -f "$place/filled"
done 2>/dev/null`;

describe.skipIf(noBubblewrap !== undefined)(`files that are memory (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("control: outside the same writing gets to its end", async () => {
		const { unconfined, out } = arena();
		const { output } = await unconfined(
			`head -c ${300 * MIB} /dev/zero > "$OUT/filled"; stat -c %s "$OUT/filled"; rm "$OUT/filled"; ls "$OUT"`,
		);
		expect(output).toBe(`${300 * MIB}\nown\n`);
		expect(readdirSync(out)).toEqual(["own"]);
	});

	it("are bounded wherever a script without a grant can make them", async () => {
		const { output } = await arena().confined(FILL, { grant: { fsRead: [], fsWrite: [] }, env: { HOME: "/root" } });
		const sizes = Object.fromEntries(
			output
				.trim()
				.split("\n")
				.map((line) => line.split("=") as [string, string]),
		);
		for (const place of ["/dev/shm", "/tmp"]) expect(Number(sizes[place])).toBe(256 * MIB);
		for (const place of ["/dev", "/"]) expect(sizes[place]).toBe("none");
	});

	it("control: shared memory, devices and process substitution work all the same", async () => {
		const script =
			"echo shared > /dev/shm/x && cat /dev/shm/x; echo gone > /dev/null; head -c 4 /dev/urandom | wc -c; cat <(echo substituted); echo told > /dev/stderr";
		expect((await arena().confined(script)).output).toBe("shared\n4\nsubstituted\ntold\n");
	});
});
