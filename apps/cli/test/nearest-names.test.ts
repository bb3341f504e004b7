import { expect, it } from "vitest";
import { nearestNames } from "../src/nearest-names.js";

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
