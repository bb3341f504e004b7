import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parsedLog, tally } from "../parsed-log.js";
import { log, runScript } from "../run-script.js";

const SCRIPT = "log-report/scripts/summarize.sh";
const summarize = (...args: string[]) => runScript(SCRIPT, args);
const grouped = (value: number): string => value.toLocaleString("en-US");

function temporaryLog(text: string | Uint8Array): string {
	const directory = mkdtempSync(join(tmpdir(), "robot-lab-log-"));
	onTestFinished(() => rmSync(directory, { recursive: true }));
	const path = join(directory, "access log.txt");
	writeFileSync(path, text);
	return path;
}

/** The rows below a heading, each split where two blanks or more are. */
function rows(report: string, heading: string): string[][] {
	const after = report.split(`${heading}\n`)[1] ?? "";
	const block = after.split("\n\n")[0] ?? "";
	return block
		.trimEnd()
		.split("\n")
		.map((row) => row.trim().split(/\s{2,}|(?<=\d) of /));
}

it("summarize counts requests, bytes and status classes as a second reading of the log does", () => {
	const requests = parsedLog();
	const classes = tally(requests.map(({ status }) => `${Math.floor(status / 100)}xx`));
	const { stdout, code } = summarize(log);
	expect(code).toBe(0);
	expect(stdout).toContain(
		`${grouped(requests.length)} requests, ${(requests.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1)} MB sent`,
	);
	for (const [name, count] of classes) expect(stdout).toContain(`${name} ${grouped(count)} (`);
	expect(stdout).not.toContain("no access log lines");
});

it("summarize names the paths that fail most, with how often each was asked for", () => {
	const requests = parsedLog();
	const failing = tally(requests.filter(({ status }) => status >= 400).map(({ path }) => path ?? "")).filter(([path]) => path !== "");
	const expected = failing
		.slice(0, 5)
		.map(([path, failed]) => [path, String(failed), String(requests.filter((one) => one.path === path).length)]);
	const shown = rows(summarize(log).stdout, "Paths that fail most").map((row) => row.slice(0, 3).map((cell) => cell.trim()));
	expect(shown).toEqual(expected);
	expect(shown[0]).toEqual(["/api/checkout", "148", "282"]);
});

it("summarize ranks clients and hours as a second reading of the log does", () => {
	const requests = parsedLog();
	const { stdout } = summarize(log, "--top", "3");
	const clients = tally(requests.map(({ client }) => client))
		.slice(0, 3)
		.map(([client, count]) => [client, String(count)]);
	expect(rows(stdout, "Busiest clients").map((row) => row.slice(0, 2))).toEqual(clients);
	const hours = tally(requests.filter(({ status }) => status >= 400).map(({ hour }) => String(hour).padStart(2, "0")));
	const shown = rows(stdout, "Hours with most errors").map(([hour, count]) => [hour?.slice(12, 14), Number(count)]);
	expect(shown).toEqual(hours.slice(0, 3));
});

it("summarize finds the stories of the shipped log", () => {
	const { stdout } = summarize(log);
	expect(stdout).toMatch(/\/api\/checkout +148 of 282 +500 x 135 {2}502 x 13/);
	expect(stdout).toMatch(/\/wp-login\.php +44 of 44 +404 x 44/);
	expect(stdout).toMatch(/198\.51\.100\.66 +168 +168 failed/);
});

it("summarize reads several files as one, and standard input for -", () => {
	expect(summarize(log, log).stdout).toContain("8,088 requests");
	const line = '192.0.2.1 - - [14/Oct/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12\n';
	expect(runScript(SCRIPT, ["-"], line).stdout).toContain("1 requests");
});

it("summarize takes strangers' bytes, quotes and a file name with = and blanks for data", () => {
	const lines = [
		'192.0.2.1 - - [14/Oct/2026:10:00:00 +0000] "GET /a\\"b HTTP/1.1" 404 12 "-" "x \\" 200 5"',
		'192.0.2.1 - - [14/Oct/2026:10:00:01 +0000] "GET /$(touch$IFSpwned) HTTP/1.1" 404 - "-" "%s%n"',
		"no log line at all",
	];
	const path = temporaryLog(Buffer.concat([Buffer.from(`${lines.join("\n")}\n`), Buffer.from([0xff, 0xfe, 0x0a])]));
	const { stdout, code } = summarize(path);
	expect(code).toBe(0);
	expect(stdout).toContain('/a\\"b');
	expect(stdout).toContain("/$(touch$IFSpwned)");
	expect(stdout).toContain("2 lines are no access log lines");
});

it.each([
	[["--top", "0", log], 2, "--top takes a whole number"],
	[["--top", "abc", log], 2, "not 'abc'"],
	[["--top"], 2, "--top takes a whole number"],
	[["--verbose", log], 2, "there is no option --verbose"],
	[[], 2, "name the access log"],
	[["nowhere.log"], 1, "there is no file nowhere.log"],
	[["data"], 1, "data is a directory"],
	[["package.json"], 1, "no line of package.json"],
])("summarize %j ends with %d and says why on standard error only", (args, code, message) => {
	const run = summarize(...args);
	expect(run).toMatchObject({ code, stdout: "" });
	expect(run.stderr).toContain(message);
});

it("summarize --help describes itself on standard output", () => {
	expect(summarize("--help")).toMatchObject({ code: 0, stderr: "" });
	expect(summarize("--help").stdout).toContain("Usage: summarize.sh");
});
