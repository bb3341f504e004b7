import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namedSkills } from "../../src/matching/named-skills.js";

const KNOWN = ["log-report", "markdown-links", "Ahrefs Automation", "tmp", "constructor", "日志"];

describe("namedSkills()", () => {
	it.each<[string, string[], string]>([
		["/log-report what failed?", ["log-report"], "what failed?"],
		["  $log-report: what\n\n failed?", ["log-report"], "what\n\n failed?"],
		["/log-report /markdown-links, $log-report go", ["log-report", "markdown-links"], "go"],
		["/Log_Report", ["log-report"], ""],
		["/ahrefs-automation go", ["Ahrefs Automation"], "go"],
		["/日志 看", ["日志"], "看"],
		["/tmp", ["tmp"], ""],
	])("finds the skills that %j begins with", (message, names, rest) => {
		expect(namedSkills(message, KNOWN)).toEqual({ names, message: rest });
	});

	it.each([
		"",
		"/",
		"$",
		"/ log-report",
		"what does /log-report do?",
		"/tmp/file is full",
		"$tmp/x",
		"/usr/bin/env",
		"$HOME is not set",
		"log-report",
		"//log-report x",
		"/__proto__ x",
		"/toString x",
		`/${"x".repeat(1_000_000)}`,
		"/ ".repeat(100_000),
	])("leaves %j as it is", (message) => expect(namedSkills(message, KNOWN)).toMatchObject({ names: [], message }));

	it("guesses no name, and says which are near", () => {
		expect(namedSkills("/log-reprot x", KNOWN)).toEqual({
			names: [],
			message: "/log-reprot x",
			unknown: { written: "/log-reprot", near: ["log-report"] },
		});
		expect(namedSkills("/tmp /markdwn-links x", KNOWN)).toMatchObject({
			names: ["tmp"],
			message: "/markdwn-links x",
			unknown: { near: ["markdown-links"] },
		});
	});

	it("takes the spelling that is exactly so where two names are alike", () => {
		expect(namedSkills("/a_b", ["a-b", "a_b"]).names).toEqual(["a_b"]);
		expect(namedSkills("/A-B", ["a-b", "a_b"]).names).toEqual(["a-b"]);
	});

	it("gives known names only, and no more text than there was", () => {
		fc.assert(
			fc.property(fc.string(), (message) => {
				const found = namedSkills(message, KNOWN);
				expect(KNOWN).toEqual(expect.arrayContaining([...found.names]));
				expect(message.endsWith(found.message)).toBe(true);
			}),
		);
	});

	it("takes ten at most, leaves the rest in the message, and reads the names that there are once", () => {
		let readings = 0;
		const known = {
			*[Symbol.iterator]() {
				readings += 1;
				yield* KNOWN;
			},
		};
		expect(namedSkills("/Log_Report ".repeat(12), known)).toEqual({ names: ["log-report"], message: "/Log_Report /Log_Report " });
		expect(namedSkills("no name at all", known)).toEqual({ names: [], message: "no name at all" });
		expect(readings).toBe(1);
	});
});
