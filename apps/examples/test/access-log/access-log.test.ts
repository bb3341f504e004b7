import { readFileSync, statSync } from "node:fs";
import { expect, it } from "vitest";
import { accessLog } from "../../src/access-log/access-log.js";
import { log } from "../run-script.js";

it("accessLog() writes the very log that ships", () => {
	expect(readFileSync(log, "utf8") === accessLog()).toBe(true);
});

it("the shipped log has some thousand lines and stays below 700 kB", () => {
	expect(readFileSync(log, "utf8").trimEnd().split("\n")).toHaveLength(4044);
	expect(statSync(log).size).toBeLessThan(700_000);
});

it("every line is in the combined format, followed by the request time, in the order of time", () => {
	const lines = accessLog().trimEnd().split("\n");
	const line = /^[\d.]+ - - \[14\/Oct\/2026:(\d\d:\d\d:\d\d) \+0000\] "[^"]+" \d{3} \d+ "[^"]+" "[^"]+" \d+\.\d{3}$/;
	const times = lines.map((text) => line.exec(text)?.[1] ?? text);
	expect(times.filter((time) => time.length !== 8)).toEqual([]);
	expect(times).toEqual([...times].sort());
});
