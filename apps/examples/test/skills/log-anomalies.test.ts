import { describe, expect, it } from "vitest";
import { parsedLog } from "../parsed-log.js";
import { isInstalled, log, runScript } from "../run-script.js";

const detect = (...args: string[]) => runScript("log-anomalies/scripts/detect.py", args);

interface Report {
	readonly requests: number;
	readonly bursts: readonly { from: string; to: string; errors: number; path: string; on_path: number }[];
	readonly probes: readonly { client: string; requests: number; paths: number }[];
	readonly slow_hours: readonly { from: string; seconds: number }[] | null;
	readonly robots: readonly { client: string; requests: number }[];
}

const report = (path: string): Report => JSON.parse(detect("--json", path).stdout);

// python3 is no part of the development set-up; where it is missing these are reported as skipped.
describe.skipIf(!isInstalled("python3"))("log-anomalies", () => {
	it("detect finds the one burst of server errors, where a second reading of the log counts the same", () => {
		const { bursts, requests } = report(log);
		const failed = parsedLog().filter(({ hour, status }) => hour === 11 && status >= 500);
		expect(requests).toBe(4044);
		expect(bursts).toHaveLength(1);
		expect(bursts[0]).toMatchObject({ errors: failed.length, path: "/api/checkout", on_path: 148 });
		expect(bursts[0]?.from).toMatch(/T11:40:/);
		expect(bursts[0]?.to).toMatch(/T11:5[34]:/);
	});

	it("detect finds the client that probes, and no customer", () => {
		const sent = parsedLog().filter(({ client }) => client === "198.51.100.66");
		expect(report(log).probes).toEqual([
			expect.objectContaining({ client: "198.51.100.66", requests: sent.length, paths: new Set(sent.map(({ path }) => path)).size }),
		]);
	});

	it("detect finds the slow hour and no other", () => {
		expect(report(log).slow_hours?.map(({ from }) => from.slice(11, 16))).toEqual(["20:00"]);
	});

	it("detect lists the crawler with its number of requests", () => {
		const crawled = parsedLog().filter(({ client }) => client === "192.0.2.44").length;
		expect(report(log).robots).toEqual([expect.objectContaining({ client: "192.0.2.44", requests: crawled })]);
	});

	it("detect tells people the same, and the rule behind each finding", () => {
		const { stdout, code } = detect(log);
		expect(code).toBe(0);
		expect(stdout).toContain("148 on /api/checkout");
		expect(stdout).toContain("(5 minutes with 10 or more, 20% of the requests)");
		expect(stdout).toContain("2026-10-14 20:00:00: one request in ten took");
	});

	it.each([
		[[], 2, "the following arguments are required: FILE"],
		[["--verbose", log], 2, "unrecognized arguments: --verbose"],
		[["nowhere.log"], 1, "nowhere.log cannot be read"],
		[["data"], 1, "data cannot be read"],
		[["package.json"], 1, "no line of package.json"],
	])("detect %j ends with %d and says why on standard error only", (args, code, message) => {
		const run = detect(...args);
		expect(run).toMatchObject({ code, stdout: "" });
		expect(run.stderr).toContain(message);
		expect(run.stderr).not.toContain("Traceback");
	});

	it("detect --help describes itself on standard output", () => {
		expect(detect("--help").stdout).toContain("usage: detect.py");
	});
});
