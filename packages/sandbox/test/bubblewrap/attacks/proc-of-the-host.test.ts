import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { arena, processesWith } from "../arena.js";

const LOOK = `
grep -az "VICTIM_SECRET" /proc/$VICTIM/environ && echo
kill -0 $VICTIM && echo signalled
ls /proc/$VICTIM/cwd && echo looked in
kill -KILL $VICTIM && echo killed
echo "processes: $(ls -d /proc/[0-9]* | wc -l)"`;

describe.skipIf(noBubblewrap !== undefined)(`/proc of the host (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("shows no other process, and none can be signalled, where the same script without confinement reads and kills one", async () => {
		const marker = `victim-${process.pid}-${Date.now()}`;
		const start = () => {
			const child = spawn("bash", ["-c", "sleep 60; true", marker], { env: { ...process.env, VICTIM_SECRET: "sesame" }, stdio: "ignore" });
			onTestFinished(() => void child.kill("SIGKILL"));
			return { VICTIM: String(child.pid), MARKER: marker };
		};
		const control = await arena().unconfined(LOOK, { env: start() });
		expect(control.output).toContain("VICTIM_SECRET=sesame");
		expect(control.output).toMatch(/signalled[\s\S]*looked in[\s\S]*killed/);

		const env = start();
		const { output } = await arena().confined(LOOK, { env });
		expect(output).toContain("No such process");
		expect(output).toContain("No such file or directory");
		expect(output).not.toMatch(/sesame|signalled|looked in|killed/);
		expect(Number(/processes: (\d+)/.exec(output)?.[1])).toBeLessThan(10);
		expect(processesWith(marker)).toContain(Number(env.VICTIM));
	});

	it("cannot be granted", async () => {
		for (const path of ["/proc", "/proc/1", "/dev"]) {
			const { refusal } = await arena().confined("true", { grant: { fsRead: [path] } });
			expect(refusal).toMatchObject({ code: "grant_not_expressible", message: expect.stringContaining(path) });
		}
	});
});
