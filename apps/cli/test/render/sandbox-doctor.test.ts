import type { DoctorReport, DoctorRow } from "@robot-lab/sandbox";
import { expect, it } from "vitest";
import { renderDoctor } from "../../src/render/sandbox-doctor.js";
import { PLAIN } from "../../src/render/style.js";

const row = (over: Partial<DoctorRow>): DoctorRow => ({
	name: "an attack",
	why: "It would be bad.",
	expected: "refused: Operation not permitted",
	seen: "Operation not permitted",
	outcome: "ok",
	...over,
});
const render = (rows: readonly DoctorRow[], isHealthy = false, untried: readonly string[] = []): string => {
	const report: DoctorReport = { platform: "darwin", backend: "seatbelt", rows, untried, isHealthy };
	return renderDoctor(report, PLAIN, 100).join("\n");
};

it("says briefly what was expected, and in full where it did not come", () => {
	expect(render([row({})], true)).toMatch(/^ {2}ok {2}an attack {2}refused {3}Operation not permitted$/m);
	const failed = render([row({ outcome: "failed", seen: "it got through" })]);
	expect(failed).toMatch(/^ {2}FAILED {2}an attack {2}refused: Operation not permitted {2}it got through$/m);
	expect(failed).toContain("an attack: It would be bad.");
});

it("counts every outcome but figures, and says what to do about each kind of failure", () => {
	const rows = [
		row({}),
		row({ outcome: "skipped", seen: "ruby is not on PATH" }),
		row({ outcome: "noted", expected: "a figure", seen: "3 ms" }),
	];
	expect(render(rows, true)).toMatch(/\n1 ok, 0 failed, 1 skipped\. seatbelt keeps scripts here to what they are granted\.$/);
	const broken = row({ outcome: "failed", expected: "works", seen: "does not work inside" });
	expect(render([...rows, broken])).toMatch(/\n1 ok, 1 failed, 1 skipped\. Nothing got through, but not all works.* report/);
	expect(render([...rows, broken, row({ outcome: "failed" })])).toMatch(
		/\n1 ok, 2 failed, 1 skipped\. Run no script here that you do not trust\. .*report/,
	);
});

it("names what was not tried though it can be, and promises less then", () => {
	const skipped = row({ name: "an attack of old", outcome: "skipped", seen: "bash is not on PATH" });
	const text = render([row({}), skipped], true, ["an attack of old", "another one"]);
	expect(text).toMatch(/\n1 ok, 0 failed, 1 skipped\. What was tried holds under seatbelt\.\n/);
	expect(text).toMatch(/\nNot tried, though every computer can try it: an attack of old; another one\.$/);
	expect(text).not.toContain("keeps scripts here");
	const failed = render([row({ outcome: "failed" }), skipped], false, ["an attack of old"]);
	expect(failed).toMatch(/Run no script here.*\nNot tried, though every computer can try it: an attack of old\.$/);
});

it("counts what is moot apart, and says what that is", () => {
	const moot = row({ outcome: "moot", seen: "refused without confinement, too: unshare: Operation not permitted" });
	expect(render([row({}), moot], true)).toMatch(/^ {2}moot {2}an attack {2}refused {3}refused without confinement, too: unshare/m);
	expect(render([row({}), moot], true)).toMatch(
		/\n1 ok, 0 failed, 0 skipped, 1 moot \(the kernel refuses them without confinement, too\)\. seatbelt keeps/,
	);
});

it("lets nothing that a script printed command the terminal", () => {
	expect(render([row({ outcome: "failed", seen: "\u001b[2Jgone" })])).toContain("\\u001b[2Jgone");
});
