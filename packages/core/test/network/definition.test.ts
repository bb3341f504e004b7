import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { NetworkError } from "../../src/errors/network-error.js";
import { Network } from "../../src/network/network.js";
import type { NetworkOptions } from "../../src/network/network-options.js";
import { Schedule } from "../../src/network/schedule.js";
import { schedulePlan } from "../../src/network/schedule-plan.js";
import type { TaskOptions } from "../../src/network/task-options.js";
import { saying } from "./robots.js";

const robot = saying("hello");
const network = (): Network<string> => new Network<string>({ name: "lab" });

/** What a definition that cannot be is refused with. */
function refusal(define: (network: Network<string>) => unknown): {
	readonly code: string;
	readonly message: string;
	readonly cycle: readonly string[];
} {
	const defined = network().task("first", robot);
	try {
		define(defined);
	} catch (error) {
		// the network is as it was
		expect(defined.toJSON().tasks.map(({ name }) => name)).toEqual(["first"]);
		expect(defined.toJSON().groups).toEqual([]);
		expect(ConfigurationError.isInstance(error)).toBe(true);
		return error as NetworkError;
	}
	throw new Error("it was not refused");
}

describe("Network, defined with mistakes", () => {
	it("refuses a name that is no text, blank, several lines, too long or a word with a meaning", () => {
		for (const name of [
			undefined,
			7,
			"",
			" \t",
			"a\nb",
			"a\u2028b",
			"x".repeat(201),
			"a\u200Bb",
			"a\u202Eb",
			"\uD800",
			"0",
			"12",
			"none",
			"optional",
			"nothing",
			"inherit",
		]) {
			expect(refusal((lab) => lab.task(name as string, robot)).code).toBe("invalid_name");
			expect(refusal((lab) => lab.parallel(name as string, {}, (group) => group.task("a", robot))).code).toBe("invalid_name");
		}
	});

	it("refuses a name that is taken, by a task, a group or within the same table", () => {
		expect(refusal((lab) => lab.task("first", robot)).code).toBe("duplicate_name");
		expect(refusal((lab) => lab.parallel("first", {}, (group) => group.task("a", robot))).code).toBe("duplicate_name");
		expect(refusal((lab) => lab.parallel("a", {}, (group) => group.task("a", robot))).code).toBe("duplicate_name");
		expect(refusal((lab) => lab.parallel("group", {}, (group) => group.task("a", robot).task("a", robot))).code).toBe("duplicate_name");
		const grouped = network().parallel("group", {}, (group) => group.task("a", robot));
		expect(() => grouped.task("group", robot)).toThrow(NetworkError);
	});

	it("names the nearest task where a dependency is unknown, and those there are", () => {
		const { code, message } = refusal((lab) => lab.task("second", robot, { dependsOn: ["frist"] }));
		expect(code).toBe("unknown_task");
		expect(message).toBe('The network "lab": "second" depends on "frist", which is no task. Did you mean "first"? There is first.');
	});

	it("does not propose the task itself, which would be a cycle, but others that are defined beside it", () => {
		const { message } = refusal((lab) => lab.task("a", robot, { dependsOn: ["b"] }));
		expect(message).toBe('The network "lab": "a" depends on "b", which is no task. There is first.');
		expect(() => network().task("a", robot, { dependsOn: ["b"] })).toThrow('"b", which is no task. There is none yet.');
		const table = refusal((lab) => lab.tasks({ fetch: { robot, dependsOn: ["fetsh"] }, fresh: { robot } }));
		expect(table.message).toContain('Did you mean "fresh"? There are first, fresh.');
	});

	it("names a cycle as a path, however long the way to it", () => {
		expect(refusal((lab) => lab.task("own", robot, { dependsOn: ["own"] })).cycle).toEqual(["own", "own"]);
		const { cycle, message, code } = refusal((lab) =>
			lab.tasks({
				a: { robot, dependsOn: ["first", "b"] },
				b: { robot, dependsOn: ["c"] },
				c: { robot, dependsOn: ["d"] },
				d: { robot, dependsOn: ["b"] },
			}),
		);
		expect(code).toBe("cycle");
		expect(cycle).toEqual(["b", "c", "d", "b"]);
		expect(message).toContain('"b" waits for "c" waits for "d" waits for "b"');
		const long = Object.fromEntries(
			Array.from({ length: 20_000 }, (_, place) => [`t${place}`, { robot, dependsOn: [`t${(place + 1) % 20_000}`] }]),
		);
		const ofMany = refusal((lab) => lab.tasks(long));
		expect(ofMany.cycle).toHaveLength(20_001);
		expect(ofMany.message.length).toBeLessThan(1_000);
	});

	it("looks at each dependency once, however many ways lead there", () => {
		const layers = Array.from({ length: 60 }, (_, layer) => [`l${layer}`, `r${layer}`]);
		const table = Object.fromEntries(
			layers.flatMap((names, layer) => names.map((name) => [name, { robot, dependsOn: layers[layer + 1] ?? [] }])),
		);
		// there are two to the sixtieth ways from the first layer to the last
		expect(network().tasks(table).toJSON().tasks).toHaveLength(120);
	});

	it("finds a cycle exactly where there is one", () => {
		const edges = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 12 });
		fc.assert(
			fc.property(edges, (pairs) => {
				const names = [...Array(8).keys()];
				const table = Object.fromEntries(
					names.map((place) => [`t${place}`, { robot, dependsOn: pairs.filter(([from]) => from === place).map(([, to]) => `t${to}`) }]),
				);
				const reaches = names.map((start) => {
					const seen = new Set<number>();
					const visit = (at: number): void => {
						for (const [from, to] of pairs) {
							if (from !== at || seen.has(to)) continue;
							seen.add(to);
							visit(to);
						}
					};
					visit(start);
					return seen.has(start);
				});
				let found: readonly string[] = [];
				try {
					network().tasks(table);
				} catch (error) {
					found = (error as NetworkError).cycle;
				}
				expect(found.length > 0).toBe(reaches.includes(true));
				for (const [place, name] of found.slice(0, -1).entries()) {
					expect(pairs.map(([from, to]) => `t${from} t${to}`)).toContain(`${name} ${found[place + 1]}`);
				}
				if (found.length > 0) expect(found.at(-1)).toBe(found[0]);
			}),
			{ numRuns: 300 },
		);
	});

	it.each([
		["no robot", (lab: Network<string>) => lab.task("a", { name: "a" } as never), /needs a robot, got an object/],
		["an unknown option", (lab: Network<string>) => lab.task("a", robot, { dependOn: ["first"] } as never), /Did you mean "dependsOn"/],
		[
			"a dependency that is no list",
			(lab: Network<string>) => lab.task("a", robot, { dependsOn: "first" as never }),
			/^The task "a" needs "none", "optional" or a list of the names of tasks and groups as dependsOn, got "first"/,
		],
		[
			"a group that depends on what is no list",
			(lab: Network<string>) => lab.parallel("group", { dependsOn: "first" as never }, (group) => group.task("a", robot)),
			/^The group "group" needs "none" or a list of the names of tasks and groups as dependsOn, got "first"/,
		],
		[
			"a group that is optional as a whole",
			(lab: Network<string>) => lab.parallel("group", { dependsOn: "optional" as never }, (group) => group.task("a", robot)),
			/"none" or a list of the names .* got "optional"/,
		],
		[
			"a dependency that is no text",
			(lab: Network<string>) => lab.task("a", robot, { dependsOn: [7 as never] }),
			/depends on 7, which is no task/,
		],
		["an input that is none", (lab: Network<string>) => lab.task("a", robot, { input: "hello" as never }), /needs a function as input/],
		["activations by nobody", (lab: Network<string>) => lab.task("a", robot, { activates: ["b"] }), /needs a function that activates them/],
		[
			"activations that are none",
			(lab: Network<string>) => lab.task("a", robot, { next: () => {}, activates: "b" as never }),
			/needs a list of the names of tasks as activates, got "b"/,
		],
		["a next that is none", (lab: Network<string>) => lab.task("a", robot, { next: 1 as never }), /needs a function as next/],
		[
			"a context that is none",
			(lab: Network<string>) => lab.task("a", robot, { context: [] as never }),
			/a record or a function as context/,
		],
		["a memory that is none", (lab: Network<string>) => lab.task("a", robot, { memory: {} as never }), /needs a Memory as memory/],
		[
			"a fallback that is none",
			(lab: Network<string>) => lab.task("a", robot, { fallback: "sorry" as never }),
			/a robot or a function as fallback/,
		],
		["half a retry", (lab: Network<string>) => lab.task("a", robot, { retries: 1.5 }), /a whole number from 0 as retries, got 1.5/],
		["retries that are none", (lab: Network<string>) => lab.task("a", robot, { retries: null as never }), /takes options, got null/],
		[
			"a mistyped option of retries",
			(lab: Network<string>) => lab.task("a", robot, { retries: { baseDelay: 1 } as never }),
			/Did you mean "baseDelayMs"/,
		],
		[
			"a wait that is none",
			(lab: Network<string>) => lab.task("a", robot, { retries: { baseDelayMs: Number.NaN } }),
			/retries\.baseDelayMs/,
		],
		[
			"a deadline that is none",
			(lab: Network<string>) => lab.task("a", robot, { timeoutMs: "1s" as never }),
			/^timeoutMs must be from 0 .* got "1s" for the task "a"\./,
		],
		[
			"a policy that is none",
			(lab: Network<string>) => lab.task("a", robot, { onFailure: "ignore" as never }),
			/"fail-fast" or "settle" as onFailure/,
		],
		["options that are none", (lab: Network<string>) => lab.task("a", robot, null as never), /takes options, got null/],
		["a table that is none", (lab: Network<string>) => lab.tasks([] as never), /takes a record of tasks, got a list/],
		["a definition that is none", (lab: Network<string>) => lab.tasks({ a: robot.run as never }), /needs a definition, got a function/],
		["an empty group", (lab: Network<string>) => lab.parallel("group", {}, (group) => group), /has no task/],
		[
			"a choice of tools that is none",
			(lab: Network<string>) => lab.task("a", robot, { tools: "all" as never }),
			/needs "inherit", "none" or a list of names as tools, got "all"/,
		],
		[
			"a server that has no name",
			(lab: Network<string>) => lab.task("a", robot, { mcp: [7 as never] }),
			/needs a list that holds only names as mcp, got 7/,
		],
	])("refuses %s", (_, define, message) => {
		expect(refusal(define).message).toMatch(message);
	});

	it.each([
		[{}, /needs a name/],
		[{ name: " " }, /needs a name/],
		[{ name: "a\u001B[2J" }, /stands on one line, without control characters/],
		[{ name: "x".repeat(201) }, /at most 200 characters/],
		[{ name: "lab", concurrency: 0 }, /whole number from 1 as concurrency, got 0/],
		[{ name: "lab", concurrency: 1.5 }, /whole number from 1/],
		[{ name: "lab", onFailure: "settled" }, /"fail-fast" or "settle"/],
		[{ name: "lab", memory: new Map() }, /needs a Memory/],
		[{ name: "lab", tools: [""] }, /a list that holds only names as tools/],
		[{ name: "lab", hooks: [{}] }, /hooks\[0\]/],
		[{ name: "lab", concurency: 2 }, /Did you mean "concurrency"/],
	])("is not made with %o", (options, message) => {
		expect(() => new Network(options as never)).toThrow(message);
	});
});

describe("Network, defined", () => {
	it("knows a group as all its tasks, which depend on what the group depends on", () => {
		const lab = network()
			.task("intake", robot)
			.parallel("analysis", { dependsOn: ["intake"] }, (group) =>
				group
					.task("style", robot)
					.task("facts", robot, { dependsOn: ["style"] })
					.task("extra", robot, { dependsOn: "optional" }),
			)
			.task("report", robot, { dependsOn: ["analysis", "intake", "style"] });
		const { tasks, groups } = lab.toJSON();
		expect(tasks.map(({ name, dependsOn }) => [name, dependsOn])).toEqual([
			["intake", "none"],
			["style", ["intake"]],
			["facts", ["intake", "style"]],
			["extra", "optional"],
			["report", ["style", "facts", "extra", "intake"]],
		]);
		expect(groups).toEqual([{ name: "analysis", tasks: ["style", "facts", "extra"] }]);
	});

	it("runs 3,000 tasks that decide beside 3,000 optional ones without keeping each pair", () => {
		const count = 3_000;
		const optional = { isOptional: true, canActivate: false, dependencies: [] };
		const plan = schedulePlan([
			...Array.from({ length: count }, () => optional),
			...Array.from({ length: count }, () => ({ isOptional: false, canActivate: true, dependencies: [] })),
			{ isOptional: false, canActivate: false, dependencies: [...Array(count).keys()] },
		]);
		expect(plan.outOfReach.flat()).toEqual([]);
		const schedule = new Schedule(plan);
		schedule.begin();
		for (let task = schedule.take(); task !== undefined; task = schedule.take()) schedule.done(task, { activate: [], halts: false });
		expect([schedule.isOver, schedule.phaseOf(0), schedule.phaseOf(2 * count)]).toEqual([true, "skipped", "skipped"]);
	});

	it("takes names that other objects know, and finds none that nobody gave", async () => {
		const lab = network()
			.task("__proto__", robot)
			.task("constructor", robot, { dependsOn: ["__proto__"] });
		const { tasks, results } = await lab.run({ message: "go" });
		expect(Object.keys(tasks)).toEqual(["__proto__", "constructor"]);
		expect(Object.values(results).map((result) => result?.lastTextContent)).toEqual(["hello", "hello"]);
		expect("toString" in results).toBe(false);
		expect(() => lab.task("a", robot, { dependsOn: ["toString"] })).toThrow(/which is no task/);
	});

	it("takes an option that is undefined for one that is left out", async () => {
		const nothing: Record<Exclude<keyof NetworkOptions, "name">, undefined> = {
			concurrency: undefined,
			onFailure: undefined,
			memory: undefined,
			tools: undefined,
			mcp: undefined,
			hooks: undefined,
			runner: undefined,
		};
		const nothingOfTask: Record<keyof TaskOptions, undefined> = {
			dependsOn: undefined,
			input: undefined,
			context: undefined,
			tools: undefined,
			mcp: undefined,
			memory: undefined,
			next: undefined,
			activates: undefined,
			timeoutMs: undefined,
			retries: undefined,
			fallback: undefined,
			onFailure: undefined,
		};
		const lab = new Network({ name: "lab", ...nothing })
			.task("a", robot, nothingOfTask)
			.parallel("group", { dependsOn: undefined }, (group) => group.task("b", robot, nothingOfTask));
		const bare = new Network({ name: "lab" }).task("a", robot).parallel("group", {}, (group) => group.task("b", robot));
		expect(lab.toJSON()).toEqual(bare.toJSON());
		expect((await lab.run({ message: "go", runner: undefined, memory: undefined, log: undefined })).status).toBe("done");
	});

	it("keeps the choices it was given, whatever becomes of the lists", () => {
		const names = ["search"];
		const lab = new Network({ name: "lab", tools: names, mcp: names }).task("a", robot, { tools: names, mcp: names });
		names.push("more");
		const { tools, mcp, tasks } = lab.toJSON();
		expect([tools, mcp, tasks[0]?.tools, tasks[0]?.mcp]).toEqual(Array(4).fill(["search"]));
	});

	it("is refused a run where there is nothing to run", async () => {
		await expect(network().run({ message: "go" })).rejects.toMatchObject({ code: "no_tasks", name: "NetworkError" });
	});

	it("runs as it was when the run began, whatever is defined meanwhile", async () => {
		const lab = network();
		lab.task("first", robot, { next: () => void lab.task("second", robot) });
		expect(Object.keys((await lab.run({ message: "go" })).tasks)).toEqual(["first"]);
		expect(lab.toJSON().tasks).toHaveLength(2);
	});
});
