import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { arena } from "../arena.js";

/** The shell that starts a script is the same user's as the script: its report can be opened, emptied and held empty. */
const FORGE = `
echo did > "$OUT/did"
echo visible
printf 'changed\\n' > /proc/1/fd/2 && echo forged
prlimit --pid 1 --fsize=0:0 && echo "kept so"
exit 4`;

describe.skipIf(noBubblewrap !== undefined)(`having oneself reported as not run (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("fails though the report of the shell inside is forged: what was run is reported as run", async () => {
		const host = arena();
		for (let round = 0; round < 5; round++) {
			const result = await host.confined(FORGE);
			// Control: the forgery itself works, so that the answer this process gave is what decides.
			expect(result.output).toBe("visible\nforged\nkept so\n");
			expect(result).toMatchObject({ exitCode: 4, confinement: "bubblewrap" });
			expect(result.refusal).toBeUndefined();
			expect(readFileSync(join(host.out, "did"), "utf8")).toBe("did\n");
		}
	});

	it("fails for what it leaves running, which is gone when the run is over", async () => {
		const host = arena();
		const forge = `printf 'ended 0\\n' > /proc/1/fd/2; setsid bash -c 'while :; do echo x >> "$OUT/alive"; sleep 0.01; done' >/dev/null 2>&1 &\nuntil [ -s "$OUT/alive" ]; do sleep 0.01; done`;
		expect(await host.confined(forge)).toMatchObject({ exitCode: 0 });
		const size = (): number => readFileSync(join(host.out, "alive")).length;
		const before = size();
		expect(before).toBeGreaterThan(0);
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(size()).toBe(before);
	});
});
