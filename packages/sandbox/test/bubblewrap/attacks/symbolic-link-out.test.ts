import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { arena } from "../arena.js";

const FOLLOW = `
ln -s "$OUTSIDE/file" "$OUT/link" && ln -s "$OUTSIDE" "$OUT/directory" && echo linked
cat "$OUT/link"; cat "$OUT/directory/file"; cat "$OUT/given"
echo changed > "$OUT/link"; echo changed > "$OUT/directory/file"; echo changed > "$OUT/directory/new"; echo changed > "$OUT/given"
true`;

describe.skipIf(noBubblewrap !== undefined)(`a symbolic link out of the grant (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("leads nowhere, whoever made it, where the same script without confinement gets through", async () => {
		const control = arena();
		symlinkSync(join(control.outside, "file"), join(control.out, "given"));
		expect((await control.unconfined(FOLLOW)).output).toBe("linked\nuntouched\nuntouched\nuntouched\n");
		expect(readFileSync(join(control.outside, "file"), "utf8")).toBe("changed\n");

		const host = arena();
		symlinkSync(join(host.outside, "file"), join(host.out, "given"));
		const { output } = await host.confined(FOLLOW);
		expect(output).toMatch(/^linked\n/);
		expect(output).not.toContain("untouched");
		expect(output.match(/No such file or directory/g)?.length).toBe(7);
		expect(readFileSync(join(host.outside, "file"), "utf8")).toBe("untouched\n");
	});

	it("is no way to a grant either: a granted link gives what it leads to, if that may be granted, under both names", async () => {
		const { confined, directory, in: input } = arena();
		symlinkSync(input, join(directory, "alias"));
		const { output } = await confined('cat "$ALIAS/note"; cat "$IN/note"; cd "$ALIAS" && pwd -P', {
			grant: { fsRead: [join(directory, "alias")] },
			env: { ALIAS: join(directory, "alias") },
		});
		expect(output).toBe(`granted\ngranted\n${input}\n`);
	});
});
