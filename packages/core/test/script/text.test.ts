import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deriveName, deriveNames } from "../../src/script/derive-name.js";
import { fitText } from "../../src/script/fit-text.js";
import { formatResult } from "../../src/script/format-result.js";
import type { ScriptResult } from "../../src/script/script-executor.js";
import { cutNotice } from "../../src/text/cut-notice.js";

describe("deriveName()", () => {
	it.each([
		["check-deploy.sh", "check_deploy"],
		["/a/b.c/check-deploy.sh", "check_deploy"],
		["check.deploy.sh", "check_deploy"],
		["--check  deploy!!.py", "check_deploy"],
		["check__deploy", "check_deploy"],
		["CheckDeploy2.py", "CheckDeploy2"],
		["größe.sh", "gr_e"],
	])("makes a name of %s: %s", (path, expected) => {
		expect(deriveName(path)).toBe(expected);
	});

	it("makes a name that stays the same of a file name without ASCII letters", () => {
		expect(deriveName("检查.sh")).toMatch(/^script_[0-9a-f]{8}$/);
		expect(deriveName("/elsewhere/检查.sh")).toBe(deriveName("检查.sh"));
		expect(deriveName("部署.sh")).not.toBe(deriveName("检查.sh"));
	});

	it("deriveNames() parts any number of names that clash, in one pass", () => {
		const files = Array.from({ length: 40_000 }, (_, index) => `x${"-".repeat((index % 2) + 1)}${"-".repeat(index % 7)}.sh`);
		const names = deriveNames(files, ["x/.sh"]);
		expect(new Set(names).size).toBe(40_001);
		expect(names.slice(0, 2)).toEqual(["x_sh", "x_sh_2"]);
	});

	it("deriveNames() adds the extension where two clash, and a number where that does not help", () => {
		expect(deriveNames(["check.sh", "run.sh", "check.py"])).toEqual(["check_sh", "run", "check_py"]);
		expect(deriveNames(["check", "check.sh"])).toEqual(["check", "check_sh"]);
		expect(deriveNames(["a-b.sh", "a_b.sh"])).toEqual(["a_b_sh", "a_b_sh_2"]);
		expect(deriveNames(["check.py", "check.sh", "check_py.sh"])).toEqual(["check_py_2", "check_sh", "check_py"]);
	});

	it("deriveNames() never gives one name twice, and only names a model provider takes", () => {
		const file = fc
			.tuple(fc.constantFrom("a", "a-b", "a_b", "a_sh", "a_b_sh_2", "é", "."), fc.constantFrom("", ".sh", ".py", ".sh.py"))
			.map((parts) => parts.join(""));
		fc.assert(
			fc.property(fc.uniqueArray(file), (files) => {
				const names = deriveNames(files);
				expect(new Set(names).size).toBe(files.length);
				expect(names.every((name) => /^[A-Za-z0-9_]+$/.test(name))).toBe(true);
			}),
		);
	});
});

describe("formatResult()", () => {
	const done: ScriptResult = {
		output: "text\n",
		exitCode: 0,
		signal: null,
		timedOut: false,
		aborted: false,
		truncatedBytes: 0,
		durationMs: 1,
		confinement: "none",
	};
	const refusal = { code: "script_missing", message: "It is gone." };

	it.each<[string, Partial<ScriptResult>, string]>([
		["the output as it is when all went well", {}, "text\n"],
		["the exit code", { exitCode: 3 }, "Error (exit 3):\ntext\n"],
		["a signal", { exitCode: null, signal: "SIGSEGV" }, "Error (signal SIGSEGV):\ntext\n"],
		["an abort before a signal", { exitCode: null, signal: "SIGTERM", aborted: true }, "Error (aborted):\ntext\n"],
		["a deadline before an abort", { exitCode: null, signal: "SIGKILL", aborted: true, timedOut: true }, "Error (timed out):\ntext\n"],
		["a refusal before everything", { timedOut: true, refusal }, "Error (not run: script_missing): It is gone."],
		["a note last", { exitCode: 1, note: "Granted: nothing." }, "Error (exit 1):\ntext\nGranted: nothing."],
		["a note on a line of its own", { output: "text", note: "Granted: nothing." }, "text\nGranted: nothing."],
		["a note alone when there is no output", { output: "", note: "Granted: nothing." }, "Granted: nothing."],
		["that there is no exit code", { exitCode: null }, "Error (exit unknown):\ntext\n"],
	])("tells %s", (_, part, expected) => {
		expect(formatResult({ ...done, ...part })).toBe(expected);
	});
});

const count = (text: string | undefined): number => Number(text?.replaceAll(",", ""));

describe("fitText()", () => {
	it("leaves alone what fits", () => {
		expect(fitText("x".repeat(1000), 1000)).toBe("x".repeat(1000));
		expect(fitText("é".repeat(500), 1000)).toBe("é".repeat(500));
	});

	it("keeps a quarter from the head and the rest from the tail, and names how much is missing", () => {
		const fitted = fitText(`${"h".repeat(5000)}${"t".repeat(5000)}`, 1000);
		const [, head = "", missing, tail = ""] = /^(h+)\n\[… ([\d,]+) bytes cut …\]\n(t+)$/.exec(fitted) ?? [];
		expect(head.length + count(missing) + tail.length).toBe(10_000);
		expect(Math.abs(tail.length - 3 * head.length)).toBeLessThan(4);
	});

	it.each([
		["in the middle", 2000],
		["on the head's last bytes", 240],
		["on the head's very end", 230],
		["on the tail's first bytes", 9_285],
	])("counts an earlier cut once whose notice lies %s", (_, at) => {
		const notice = cutNotice(5_000);
		const earlier = `${"h".repeat(at)}${notice}${"t".repeat(10_000 - at)}`;
		const fitted = fitText(earlier, 1000, 5_000);
		const notices = fitted.match(/\[… [\d,]+ bytes cut …\]/g) ?? [];
		const kept = Buffer.byteLength(fitted.replaceAll(/\n\[… [\d,]+ bytes cut …\]\n/g, ""));
		expect(notices.length).toBe(1);
		expect(count(/\[… ([\d,]+) bytes/.exec(fitted)?.[1]) + kept).toBe(15_000);
		expect(Buffer.byteLength(fitted)).toBeLessThanOrEqual(1000);
	});

	it("counts what an executor cut without a notice, and leaves a notice that stays to speak for itself", () => {
		expect(fitText("x".repeat(10_000), 1000, 5_000)).toMatch(/\n\[… 14,0\d\d bytes cut …\]\n/);
		const fitted = fitText(`ab${cutNotice(5_000)}${"t".repeat(10_000)}`, 1000, 5_000);
		expect(fitted).toMatch(/^ab\n\[… 5,000 bytes cut …\]\nt+\n\[… 9,\d\d\d bytes cut …\]\nt+$/);
	});

	it("never exceeds the budget, never splits a character, and counts right", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme", minLength: 100, maxLength: 2000 }), fc.integer({ min: 256, max: 3000 }), (text, budget) => {
				const fitted = fitText(text, budget);
				expect(Buffer.byteLength(fitted)).toBeLessThanOrEqual(budget);
				// what was cut may have held the text's own
				if (!text.includes("\uFFFD")) expect(fitted).not.toContain("\uFFFD");
				if (fitted === text) return;
				const [whole, missing] = /\n\[… ([\d,]+) bytes cut …\]\n/.exec(fitted) ?? [];
				expect(Buffer.byteLength(text) - count(missing)).toBe(Buffer.byteLength(fitted) - Buffer.byteLength(whole ?? ""));
			}),
		);
	});
});
