import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { STRATEGIES, stage } from "./stage.js";

const MIB = 1024 * 1024;
/** Three MiB into a file, by a program that a signal ends when it may not. */
const FILL = (file: string): string => `head -c ${3 * MIB} /dev/zero > "${file}"`;
const SPIN = "while :; do :; done";

describe.each(STRATEGIES.filter(({ skipped }) => !skipped))("a script that is held to limits $title", ({ strategy }) => {
	it("writes no file larger than it may, and one as large as that", async () => {
		const { run, out } = stage(strategy);
		const size = (): number => statSync(join(out, "file")).size;
		expect(await run(FILL("$OUT/file"))).toMatchObject({ exitCode: 0, confinement: strategy });
		expect(size()).toBe(3 * MIB);
		expect(await run(`exec ${FILL("$OUT/file")}`, { fileSizeMb: 1 })).toMatchObject({
			signal: "SIGXFSZ",
			note: "The script reached limits.fileSizeMb (1).",
		});
		expect(size()).toBe(MIB);
		expect(await run(FILL("$OUT/file"), { fileSizeMb: 3 })).toMatchObject({ exitCode: 0 });
		expect(size()).toBe(3 * MIB);
	});

	it("is held to it in what it starts, in its temporary directory and where it ignores the signal", async () => {
		const { run } = stage(strategy);
		const temporary = `(setsid sh -c '${FILL("$TMPDIR/x")}' 2> /dev/null || sh -c '${FILL("$TMPDIR/x")}'); wc -c < "$TMPDIR/x" | tr -d ' '; rm "$TMPDIR/x"`;
		const env = strategy === "none" ? { TMPDIR: stage(strategy).out } : {};
		expect((await run(temporary, { fileSizeMb: 2 }, { env })).output).toMatch(new RegExp(`^${2 * MIB}$`, "m"));
		expect((await run(temporary, {}, { env })).output).toBe(`${3 * MIB}\n`);
		const deaf = await run(`trap '' XFSZ; perl -e 'open F, ">", "$ENV{OUT}/deaf"; print F "x" x ${3 * MIB}; close F or die "$!\\n"'`, {
			fileSizeMb: 1,
		});
		expect(deaf.output).toBe("File too large\n");
		expect(deaf.note).toBe("The script may have reached limits.fileSizeMb (1).");
	});

	it.runIf(strategy === "bubblewrap")("is held to it in the directories that are memory too", async () => {
		const { run } = stage(strategy);
		const fill = `for d in /tmp /dev/shm ~; do ( ${FILL("$d/x")} ) 2> /dev/null; wc -c < "$d/x"; done`;
		expect((await run(fill)).output).toBe(`${3 * MIB}\n`.repeat(3));
		expect((await run(`exec 2> /dev/null; ${fill}`, { fileSizeMb: 1 })).output).toBe(`${MIB}\n`.repeat(3));
	});

	// What sets limits comes before all else with either of the two that are not bubblewrap, and these cases spin for seconds.
	it.runIf(strategy !== "seatbelt")(
		"uses no more processor time than it may, deaf to the signal or not",
		{ timeout: 200_000 },
		async () => {
			// Where others use the processor too, a second of it takes many.
			const run = (script: string) => stage(strategy).run(script, { cpuSeconds: 1 }, { timeout: 60 });
			expect(await run(SPIN)).toMatchObject({
				timedOut: false,
				signal: "SIGXCPU",
				note: "The script reached limits.cpuSeconds (1).",
			});
			const deaf = await run(`trap '' XCPU; echo deaf; ${SPIN}`);
			expect(deaf).toMatchObject({ timedOut: false, signal: "SIGKILL", output: "deaf\n" });
			expect(deaf.note).toBe("The script may have reached limits.cpuSeconds (1).");
			expect(await run(`(${SPIN}); echo "after $?"`)).toMatchObject({
				exitCode: 0,
				output: expect.stringContaining("after 152"),
			});
		},
	);

	it.runIf(strategy !== "seatbelt")("goes on and on without it", async () => {
		const { run } = stage(strategy);
		expect(await run(SPIN, {}, { timeout: 2 })).toMatchObject({ timedOut: true });
	});

	it("has the tighter of what its skill declares and the ceiling allows", async () => {
		const { run } = stage(strategy);
		const shown = async (declared: object, ceiling: object): Promise<string> =>
			(await run("ulimit -S -t; ulimit -H -t; ulimit -H -f", declared, { ceiling })).output;
		expect(await shown({ cpuSeconds: 600, fileSizeMb: 1 }, { cpuSeconds: 30, fileSizeMb: 8 })).toBe("30\n31\n1024\n");
		expect(await shown({}, { cpuSeconds: 30 })).toBe("30\n31\nunlimited\n");
		expect(await shown({ cpuSeconds: 20 }, {})).toBe("20\n21\nunlimited\n");
		expect(await shown({ cpuSeconds: Number.MAX_SAFE_INTEGER }, {})).toBe(`${2 ** 31}\n${2 ** 31 + 1}\nunlimited\n`);
	});
});
