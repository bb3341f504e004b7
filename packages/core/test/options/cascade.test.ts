import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { type CascadeChoice, type CascadeLevels, cascade, chosenNames } from "../../src/options/cascade.js";
import type { Selection } from "../../src/value/selection.js";

const LEVELS = ["run", "robot", "task", "network", "config"] as const;
const SAID: readonly (Selection | undefined)[] = [undefined, "inherit", "none", [], ["a"], ["b", "a"]];

function levelsOf(said: readonly (Selection | undefined)[]): CascadeLevels {
	return Object.fromEntries(LEVELS.map((level, index) => [level, said[index]]));
}

/** What a level that counts makes of it, by hand. */
const CHOICES: ReadonlyMap<Selection | undefined, CascadeChoice["choice"] | undefined> = new Map<
	Selection | undefined,
	CascadeChoice["choice"] | undefined
>(SAID.map((said) => [said, said === undefined || said === "inherit" ? undefined : said.length === 0 ? "none" : said]));

describe("cascade()", () => {
	it.each([
		[{}, { choice: "all" }],
		[{ run: "inherit", robot: "inherit", task: "inherit", network: "inherit", config: "inherit" }, { choice: "all" }],
		[{ config: "none" }, { choice: "none", from: "config" }],
		[
			{ network: ["a"], config: "none" },
			{ choice: ["a"], from: "network" },
		],
		[
			{ task: "none", network: ["a"], config: ["b"] },
			{ choice: "none", from: "task" },
		],
		[
			{ robot: ["a"], task: "none", network: "none", config: "none" },
			{ choice: ["a"], from: "robot" },
		],
		[
			{ run: ["b"], robot: "none", task: ["a"], network: "none", config: "none" },
			{ choice: ["b"], from: "run" },
		],
		[
			{ run: "inherit", robot: ["a"], config: "none" },
			{ choice: ["a"], from: "robot" },
		],
		[
			{ run: [], robot: ["a"] },
			{ choice: "none", from: "run" },
		],
	] as const)("%j comes to %j", (levels, choice) => {
		expect(cascade("tools", levels)).toEqual(choice);
	});

	it("is decided by the nearest level that says something of its own, in every combination there is", () => {
		let combinations = 0;
		for (const run of SAID)
			for (const robot of SAID)
				for (const task of SAID)
					for (const network of SAID)
						for (const config of SAID) {
							combinations += 1;
							const said = [run, robot, task, network, config];
							const from = said.findIndex((selection) => CHOICES.get(selection) !== undefined);
							const { choice, from: by } = cascade("mcp", levelsOf(said));
							if (by !== LEVELS[from]) expect.fail(`${JSON.stringify(said)} was decided by ${by}`);
							expect(choice).toEqual(from === -1 ? "all" : CHOICES.get(said[from]));
						}
		expect(combinations).toBe(6 ** 5);
	});

	it("is what one line says, whatever the names", () => {
		const names = fc.uniqueArray(fc.string({ minLength: 1 }).filter((name) => name.trim() !== "" && !["none", "inherit"].includes(name)));
		const selection = fc.oneof(fc.constantFrom(undefined, "inherit" as const, "none" as const), names);
		fc.assert(
			fc.property(fc.tuple(selection, selection, selection, selection, selection), (said) => {
				const model = said.find((one) => one !== undefined && one !== "inherit") ?? "all";
				expect(cascade("tools", levelsOf(said)).choice).toEqual(model.length === 0 ? "none" : model);
			}),
		);
	});

	it("keeps a copy of the list", () => {
		const list = ["a"];
		const { choice } = cascade("tools", { run: list });
		list.push("b");
		expect(choice).toEqual(["a"]);
	});

	const junk: readonly (readonly [unknown, string])[] = [
		["all", 'be "inherit", "none" or a list of names, not "all"'],
		["", 'be "inherit", "none" or a list of names, not ""'],
		[null, 'be "inherit", "none" or a list of names, not null'],
		[7, 'be "inherit", "none" or a list of names, not 7'],
		[true, 'be "inherit", "none" or a list of names, not true'],
		[{ files: { command: "x" } }, 'be "inherit", "none" or a list of names, not an object'],
		[new Set(["a"]), 'be "inherit", "none" or a list of names, not an object'],
		[["a", 7], "hold only names, not 7"],
		[["a", " "], 'hold only names, not " "'],
		[["none"], 'hold only names, not "none"'],
		[["a", "inherit"], 'hold only names, not "inherit"'],
		[[["a"]], "hold only names, not a list"],
		[["a", "b", "a"], 'hold only different names, not "a"'],
		[new Array(1), "hold only names, not undefined"],
	];
	it.each(junk)("throws for %j, and says at which level", (value, message) => {
		const whose = ["A run's", "A robot's", "A task's", "A network's", "The configuration's"];
		for (const [index, level] of LEVELS.entries()) {
			// also where a nearer level decides
			const attempt = (): unknown => cascade("tools", { run: "none", [level]: value });
			expect(attempt).toThrow(ConfigurationError);
			expect(attempt).toThrow(`${whose[index]} tools must ${message}.`);
		}
	});
});

describe("chosenNames()", () => {
	const chosen = (choice: CascadeChoice, known: readonly string[] = ["a", "b"], setting: "tools" | "mcp" = "tools"): readonly string[] =>
		chosenNames(choice, { setting, robotName: "helper", known });

	it("are all, none, or those of the list in its order", () => {
		expect(chosen({ choice: "all" })).toEqual(["a", "b"]);
		expect(chosen({ choice: "none", from: "run" })).toEqual([]);
		expect(chosen({ choice: ["b", "a"], from: "run" })).toEqual(["b", "a"]);
	});

	it("pass over what a robot lacks where the list is for several robots", () => {
		for (const from of ["task", "network", "config"] as const) expect(chosen({ choice: ["x", "b"], from })).toEqual(["b"]);
	});

	it("are an error where the run or the robot names what the robot lacks", () => {
		expect(() => chosen({ choice: ["a", "bb"], from: "run" })).toThrow(
			'run() was given the tool name "bb", which this robot does not have. Did you mean "b"? It has a, b.',
		);
		expect(() => chosen({ choice: ["files"], from: "robot" }, [], "mcp")).toThrow(
			'The robot "helper" was given the MCP server name "files", which this robot does not have. It has none.',
		);
		expect(() => chosen({ choice: ["__proto__"], from: "run" })).toThrow(ConfigurationError);
	});
});
