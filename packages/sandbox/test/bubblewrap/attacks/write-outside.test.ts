import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { put } from "../../support/workshop.js";
import { arena } from "../arena.js";

const WRITE = `
cd "$OUT" && echo changed > own && echo 1:$?
echo changed > "$IN/note" && echo 2:$?
echo changed > "$OUTSIDE/file" && echo 3:$?
echo changed > "$SKILL_DIR/scripts/other" && echo 4:$?
mv "$IN/note" "$OUT/moved" && echo 5:$?
rm -f "$IN/note" && echo 6:$?
chmod 777 "$IN" && echo 7:$?
true`;

describe.skipIf(noBubblewrap !== undefined)(`writing outside of the grant (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("changes nothing but what may be written, where the same script without confinement changes all of it", async () => {
		const control = arena();
		expect((await control.unconfined(WRITE)).output).toMatch(/1:0[\s\S]*2:0[\s\S]*3:0[\s\S]*4:0[\s\S]*5:0[\s\S]*6:0[\s\S]*7:0/);
		expect(readFileSync(join(control.outside, "file"), "utf8")).toBe("changed\n");

		const host = arena();
		const { output } = await host.confined(WRITE);
		expect(output.match(/^\d:0$/gm)).toEqual(["1:0"]);
		expect(output.match(/Read-only file system/g)?.length).toBeGreaterThanOrEqual(4);
		expect(readFileSync(join(host.out, "own"), "utf8")).toBe("changed\n");
		expect(readFileSync(join(host.in, "note"), "utf8")).toBe("granted\n");
		expect(readFileSync(join(host.outside, "file"), "utf8")).toBe("untouched\n");
		expect(existsSync(join(host.skillDir, "scripts", "other"))).toBe(false);
	});

	it("leaves no trace of what is made in the script's own /tmp, home and root", async () => {
		const { confined } = arena();
		const name = `robot-lab-trace-${process.pid}`;
		const { output } = await confined(`touch /tmp/${name} ~/${name} && echo made; touch /${name} /etc/${name} /usr/${name}`);
		expect(output).toContain("made\n");
		expect(output.match(/Read-only file system/g)?.length).toBe(3);
		for (const place of ["/tmp", process.env.HOME ?? "/root", "/", "/etc", "/usr", "/dev"])
			expect(existsSync(join(place, name))).toBe(false);
	});

	it("keeps a directory to read inside one to write read-only, and one to write inside that writable", async () => {
		const { confined, out } = arena();
		put(join(out, "fixed", "x"), "as it was\n");
		put(join(out, "fixed", "free", "y"), "as it was\n");
		const script = 'cd "$OUT"; echo new > fixed/x; echo new > fixed/free/y && echo wrote; mv fixed gone; cat fixed/x';
		const { output } = await confined(script, { grant: { fsRead: [join(out, "fixed")], fsWrite: [out, join(out, "fixed", "free")] } });
		expect(output).toContain("fixed/x: Read-only file system");
		expect(output).toContain("wrote\n");
		expect(output).toContain("Device or resource busy");
		expect(readFileSync(join(out, "fixed", "x"), "utf8")).toBe("as it was\n");
		expect(readFileSync(join(out, "fixed", "free", "y"), "utf8")).toBe("new\n");
	});

	it("takes a path in both lists for writable", async () => {
		const { confined, out } = arena();
		expect((await confined('echo new > "$OUT/own" && echo wrote', { grant: { fsRead: [out], fsWrite: [out] } })).output).toBe("wrote\n");
	});
});
