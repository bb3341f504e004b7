import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { put } from "../../support/workshop.js";
import { arena } from "../arena.js";

const READ = `
cat "$IN/note"
cat "$OUTSIDE/file"
cat "$IN/../outside/file"
cat "/proc/self/root$OUTSIDE/file"
cat "/proc/1/root$OUTSIDE/file"
cat "/proc/self/cwd/outside/file"
ls "$OUTSIDE"
find "$OUTSIDE/.." -name file 2>/dev/null | grep outside
exit 3`;

describe.skipIf(noBubblewrap !== undefined)(`reading outside of the grant (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("finds nothing by any path, where the same script without confinement reads the file", async () => {
		const { confined, unconfined } = arena();
		const control = await unconfined(READ);
		expect(control.output.match(/untouched/g)?.length).toBeGreaterThanOrEqual(4);
		const { output, exitCode, confinement, note } = await confined(READ);
		expect({ exitCode, confinement }).toEqual({ exitCode: 3, confinement: "bubblewrap" });
		expect(output).toContain("granted\n");
		expect(output).not.toMatch(/untouched|outside\/file$/m);
		expect(output.match(/No such file or directory/g)?.length).toBe(6);
		expect(note).toContain("Granted: read");
	});

	it("finds neither the host's accounts and passwords nor what lies at home, and says so for a missing file", async () => {
		const { confined } = arena();
		const script =
			"cat /etc/shadow /etc/ssh/ssh_config /var/log/dpkg.log; ls -A ~; getent passwd | wc -l; ls /home /root /srv /var /sys 2>&1 | grep -c 'cannot access'";
		const { output } = await confined(script);
		expect(output.match(/No such file or directory/g)?.length).toBe(3);
		expect(output).not.toMatch(/root:[^x]/);
		expect(Number(output.match(/^\d+$/m)?.[0])).toBeLessThanOrEqual(3);
	});

	it("control: what is granted by name at home can be read, and nothing beside it", async () => {
		const { confined, directory } = arena();
		put(join(directory, "home", "wanted", "x"), "asked for\n");
		put(join(directory, "home", "other"), "not asked for\n");
		const { HOME } = process.env;
		process.env.HOME = join(directory, "home");
		try {
			expect(homedir()).toBe(join(directory, "home"));
			const { output } = await confined("cat ~/wanted/x; ls -A ~; touch ~/new && echo writable && cat ~/other", {
				grant: { fsRead: [join(directory, "home", "wanted")] },
			});
			expect(output).toContain("asked for\nwanted\nwritable\n");
			expect(output).not.toContain("not asked for");
		} finally {
			process.env.HOME = HOME;
		}
		// What it wrote at its home went into a home of its own.
		expect(readdirSync(join(directory, "home")).sort()).toEqual(["other", "wanted"]);
	});
});
