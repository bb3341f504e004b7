import { expect, it } from "vitest";
import { didYouMean, nearestNames } from "../../src/text/nearest-names.js";

const KNOWN = ["log-report", "log-anomalies", "markdown-links"];

it("nearestNames() finds a name with a few letters wrong", () => {
	expect(nearestNames("log-raport", KNOWN)).toEqual(["log-report"]);
	expect(nearestNames("LOG_REPORT", KNOWN)).toEqual(["log-report"]);
});

it("nearestNames() finds a name by one part of it", () => {
	expect(nearestNames("log", KNOWN)).toEqual(["log-anomalies", "log-report"]);
});

it("nearestNames() finds nothing for a name that is like none, whatever its length", () => {
	expect(nearestNames("weather", KNOWN)).toEqual([]);
	expect(nearestNames("", KNOWN)).toEqual([]);
	expect(nearestNames("x".repeat(100_000), ["y"])).toEqual([]);
});

it("nearestNames() takes no name of one or two letters for a part of a longer one", () => {
	expect(nearestNames("lighthouse", ["l", "ho"])).toEqual([]);
});

it("nearestNames() does not look past the beginning of names nobody types", () => {
	expect(nearestNames("x".repeat(100_000), ["x".repeat(90_000)])).toHaveLength(1);
});

it("didYouMean() asks about the nearest, or nothing", () => {
	expect(didYouMean("log-raport", new Set(KNOWN))).toBe(' Did you mean "log-report"?');
	expect(didYouMean("weather", KNOWN)).toBe("");
});
