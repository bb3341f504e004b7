import { chmodSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { Approve } from "../../src/approval/approval-request.js";
import { configure } from "../../src/config/configure.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { loadNetwork } from "../../src/network-file/load-network.js";
import { AgentSkillCatalog } from "../../src/skill/agent-skill-catalog.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { failing, robotThat } from "../network/robots.js";
import { folder, load, robots, withTasks } from "./declared.js";

/** What a task's robot was asked, under what it answers. */
const echo = (text: string): string => `<${text}>`;

describe("loadNetwork()", () => {
	it("makes what stands in the file: options, tasks in its order whichever they name, groups", async () => {
		configure({ mcpServers: { files: { command: "/nonexistent/server" } } });
		const network = await load(`
name: build
concurrency: 2
on_failure: settle
tools: none
mcp: [files]
robots:
  planner: { system_prompt: You plan. }
  worker:
tasks:
  last: { robot: worker, depends_on: [plan] }
  plan: { robot: planner, timeout_ms: 500, retries: 2, on_failure: fail-fast, fallback: No plan., tools: [look], mcp: inherit }
  parts:
    depends_on: [plan]
    tasks:
      front: { robot: worker }
      back: { robot: worker, depends_on: [front] }
  test: { robot: worker, depends_on: [parts] }
`);
		expect(network.toJSON()).toEqual({
			name: "build",
			concurrency: 2,
			onFailure: "settle",
			tools: "none",
			mcp: ["files"],
			tasks: [
				{ name: "last", robot: "worker", dependsOn: ["plan"] },
				{
					name: "plan",
					robot: "planner",
					dependsOn: "none",
					timeoutMs: 500,
					retries: 2,
					hasFallback: true,
					onFailure: "fail-fast",
					tools: ["look"],
					mcp: "inherit",
				},
				{ name: "front", robot: "worker", dependsOn: ["plan"] },
				{ name: "back", robot: "worker", dependsOn: ["plan", "front"] },
				{ name: "test", robot: "worker", dependsOn: ["front", "back"] },
			],
			groups: [{ name: "parts", tasks: ["front", "back"] }],
		});
	});

	it("takes a path or a file's address, and code may go on with what it answers", async () => {
		const path = join(folder({ "lab.yaml": withTasks("a: { robot: r }") }), "lab.yaml");
		const network = await loadNetwork(pathToFileURL(path), { robots: robots({ r: "A" }) });
		const { lastTextContent } = await network
			.task(
				"b",
				robotThat((message) => `B after ${message}`),
				{ dependsOn: ["a"] },
			)
			.run({ message: "go" });
		expect(lastTextContent).toBe('B after go\n\nResult of "a":\nA');
	});

	it("gives robots their prompts and settings, and a model to those that name none in file or template", async () => {
		const model = new ScriptedModel(["one", "two"]);
		const files = {
			"prompts/own.md": "---\nmodel: offline\n---\nI name a model.",
			"prompts/greet.md": "---\nparameters:\n  language:\n  tone: kind\n---\nSpeak {{language}}, {{tone}}.",
		};
		const yaml = `
name: lab
robots:
  inline: { system_prompt: "Say {{message}}.", temperature: 0.5, max_tokens: 9, stop: [END], reasoning: low }
  templated: { template: greet, context: { tone: dry } }
  own: { template: own }
tasks:
  a: { robot: inline }
  b: { robot: templated, context: { language: "{{context.language}} of {{message}}" }, depends_on: [a] }
  c: { robot: own }
`;
		const { results, status } = await (await load(yaml, { model }, files)).run({ message: "go", context: { language: "German" } });
		expect(status).toBe("done");
		expect(results.a?.lastTextContent).toBe("one");
		expect(model.calls).toHaveLength(2);
		expect(model.calls[0]).toMatchObject({ temperature: 0.5, maxOutputTokens: 9, stopSequences: ["END"], reasoning: "low" });
		const systems = model.calls.map(({ prompt }) => prompt.find(({ role }) => role === "system")?.content);
		expect(systems).toEqual(["Say {{message}}.", "Speak German of go, dry."]);
	});

	it("takes the configured model where nobody names one, and says so where there is none", async () => {
		const yaml = withTasks("a: { robot: r }").replace("r: {}", "r: { temperature: 1 }");
		const path = join(folder({ "lab.yaml": yaml }), "lab.yaml");
		await expect(loadNetwork(path)).rejects.toThrow(/line 3: robots\.r: The robot "r" has no model/);
		configure({ model: "offline" });
		expect((await loadNetwork(path)).toJSON().tasks).toHaveLength(1);
	});

	it("looks up skills in its catalog, by name or all, and what their templates name as well", async () => {
		const skill = (name: string): string => `---\nname: ${name}\ndescription: ${name} of letters\n---\nUse ${name}.\n`;
		const files = {
			"skills/count/SKILL.md": skill("count"),
			"skills/sort/SKILL.md": skill("sort"),
			"skills/send/SKILL.md": skill("send"),
			"prompts/sorter.md": "---\nskills: [sort]\n---\nYou sort.",
		};
		const yaml = `
name: lab
robots:
  none: {}
  named: { skills: [count] }
  templated: { template: sorter, skills: [count] }
  all: { skills: auto }
tasks: { a: { robot: none }, b: { robot: named }, c: { robot: templated }, d: { robot: all } }
`;
		const root = folder({ "lab.yaml": yaml, ...files });
		const model = new ScriptedModel(["x", "x", "x", "x"]);
		const network = await loadNetwork(join(root, "lab.yaml"), { model, skills: new AgentSkillCatalog(join(root, "skills")) });
		expect((await network.run({ message: "count, sort and send letters" })).status).toBe("done");
		const system = (call: number): string => String(model.calls[call]?.prompt.find(({ role }) => role === "system")?.content ?? "");
		const used = [0, 1, 2, 3].map((call) => ["count", "sort", "send"].filter((name) => system(call).includes(`Use ${name}.`)));
		expect(used.map((names) => names.sort()).sort((one, other) => one.length - other.length)).toEqual([
			[],
			["count"],
			["count", "sort"],
			["count", "send", "sort"],
		]);
	});

	it("gives its robots what decides about scripts of their skills", async () => {
		const skill = "---\nname: count\ndescription: counts letters\n---\nCount.\n";
		const root = folder({
			"lab.yaml": "name: lab\nrobots: { r: { skills: [count] } }\ntasks: { a: { robot: r } }",
			"skills/count/SKILL.md": skill,
			"skills/count/scripts/count.sh": "#!/bin/sh\necho counted\n",
		});
		chmodSync(join(root, "skills/count/scripts/count.sh"), 0o755);
		const asked: string[] = [];
		const approve: Approve = async ({ skill: name }) => {
			asked.push(name);
			return "deny";
		};
		const model = new ScriptedModel([{ toolCalls: [{ name: "count__count", args: {} }] }, "x"]);
		const matching = { threshold: 0.01 };
		const options = {
			model,
			matching,
			skills: new AgentSkillCatalog(join(root, "skills")),
			approval: { approve, store: join(root, "approvals") },
		};
		const { results } = await (await loadNetwork(join(root, "lab.yaml"), options)).run({ message: "letters, please, of many words" });
		expect(asked).toEqual(["count"]);
		expect(results.a?.toolCalls[0]?.content).toMatch(/^Error \(not run: not_approved\)/);
		await expect(loadNetwork(join(root, "lab.yaml"), { approval: {} })).rejects.toThrow(/loadNetwork\(\), approval, needs approve/);
		await expect(loadNetwork(join(root, "lab.yaml"), { matching: { topK: 0 } })).rejects.toThrow("loadNetwork(), matching: topK");
	});

	it("runs, starts and asks nothing while it loads, though the robots of the file have servers and skills", async () => {
		const fail = (): never => {
			throw new Error("it was asked");
		};
		const model = { specificationVersion: "v4", provider: "x", modelId: "x", supportedUrls: {}, doStream: fail, doGenerate: fail } as never;
		configure({ mcpServers: { never: { command: "/nonexistent/server" } } });
		const network = await load("name: lab\nrobots:\n  r: { skills: auto, mcp: [never] }\ntasks:\n  a: { robot: r }", { model });
		expect(network.toJSON().tasks).toMatchObject([{ name: "a" }]);
	});
});

describe("the texts of a network's file", () => {
	it("are filled in with the message, results and context, once, and without escaping", async () => {
		const yaml = withTasks(
			"facts: { robot: r }",
			"late: { robot: r, depends_on: optional }",
			"sum:",
			"  robot: s",
			"  depends_on: [facts, late]",
			"  context: { own: '{{context.who}}!' }",
			"  input: |",
			"    {{message}} for {{context.who}} and {{context.own}}:",
			"    {{results.facts}}{{#results.late}} late {{.}}{{/results.late}}{{^results.late}} none{{/results.late}}",
			"    {{#context.list}}[{{name}}]{{/context.list}}",
		);
		const asked: unknown[] = [];
		const summary = robotThat((message, { context }) => {
			asked.push(message, context);
			return "done";
		});
		const network = await load(yaml, { robots: { ...robots({ r: "<b>&{{message}}" }), s: summary } });
		const { status } = await network.run({
			message: "{{results.facts}}",
			context: { who: "O'Neil", list: [{ name: "a" }, { name: "b" }] },
		});
		expect(status).toBe("done");
		expect(asked).toEqual(["{{results.facts}} for O'Neil and O'Neil!:\n<b>&{{message}} none\n[a][b]", { own: "O'Neil!" }]);
	});

	it("use values of their task that its robot's template does not take: the robot is given only what that takes", async () => {
		const yaml = `
name: lab
robots:
  plain: {}
  kind: { template: greet }
tasks:
  one:
    robot: plain
    context: { style: short, end: bye, who: "{{message}}" }
    input: "{{#message}}{{context.style}}{{/message}} for {{context.who}}"
    next: [{ halt: "{{context.end}}" }]
  two: { robot: kind, context: { style: long, tone: dry }, input: "{{context.style}}" }
  three: { robot: code, context: { style: x } }
`;
		const model = new ScriptedModel(["one", "two"]);
		const given: unknown[] = [];
		const code = robotThat((_, { context }) => {
			given.push(context);
			return "three";
		});
		const files = { "prompts/greet.md": "---\nparameters:\n  tone: kind\n---\nBe {{tone}}." };
		const network = await load(yaml, { model, robots: { code } }, files);
		const { status, value } = await network.run({ message: "tea" });
		expect({ status, value }).toEqual({ status: "halted", value: "bye" });
		expect(model.calls.map(({ prompt }) => prompt.map(({ content }) => content))).toEqual([
			[[{ type: "text", text: "short for tea" }]],
			["Be dry.", [{ type: "text", text: "long" }]],
		]);
		expect(given).toEqual([{ style: "x" }]);
	});

	it("that need a value of the context fail the task without it, by what it is called and how it is given", async () => {
		const network = await load(withTasks("a: { robot: r, retries: 3, input: 'In {{context.language}}' }"));
		for (const context of [{}, { language: null }, Object.create({ language: "x" })]) {
			const { tasks } = await network.run({ message: "go", context });
			expect(tasks.a).toMatchObject({ state: "failed", attempts: 0 });
			expect(ConfigurationError.isInstance(tasks.a?.error)).toBe(true);
			expect(String(tasks.a?.error)).toMatch(/line 5: tasks\.a\.input needs context\.language\. .*--context language=…/);
		}
	});

	it("need what they name of the context as a whole path, in sections of texts as well, and nothing in sections of the context", async () => {
		const task = async (input: string, context: object) => {
			const network = await load(withTasks(`z: { robot: r }`, `a: { robot: r, depends_on: [z], input: '${input}' }`), {
				robots: robots({ r: echo }),
			});
			const { tasks, results } = await network.run({ message: "go", context: { ...context } });
			return tasks.a?.error === undefined ? results.a?.lastTextContent : String(tasks.a.error);
		};
		expect(await task("{{context.k.z}}", { k: { y: 1 } })).toContain(
			"tasks.a.input needs context.k.z. Give it to the run as context; on the command line, --context k=….",
		);
		expect(await task("{{context.k.z}}", { k: "text" })).toContain("needs context.k.z.");
		expect(await task("{{context.k.z}}", { k: { z: 0 } })).toBe("<0>");
		expect(await task("{{#results.z}}{{context.k}}{{/results.z}}", {})).toContain("needs context.k.");
		expect(
			await task("{{#context.k}}{{context.k.z}}{{z}}{{context.l}}{{/context.k}}{{^context.k}}none{{context.l}}{{/context.k}}", {}),
		).toBe("<none>");
		expect(await task("{{#context.k}}{{#message}}{{z}}{{/message}}{{/context.k}}", { k: [{ z: 1 }, { z: 2 }] })).toBe("<12>");
		expect(await task("{{#results}}{{z}}{{/results}}{{#message}}{{.}}{{#.}}{{message}}{{/.}}{{/message}}", {})).toBe("<<go>gogo>");
	});

	it("read no value by its prototype, call nothing, and write values as JSON has them", async () => {
		let calls = 0;
		const context = { f: () => (calls += 1), when: new Date(0), list: [{ a: 1 }] };
		const input =
			"'{{#context.x}}{{/context.x}}{{#context.list}}{{context.f}}|{{context.f.name}}{{/context.list}}|{{context.when}}|{{context.list}}'";
		const network = await load(withTasks(`a: { robot: r, input: ${input} }`), { robots: robots({ r: echo }) });
		const { lastTextContent } = await network.run({ message: "go", context });
		expect({ lastTextContent, calls }).toEqual({ lastTextContent: '<||1970-01-01T00:00:00.000Z|[{"a":1}]>', calls: 0 });
		const inherited = await load(withTasks("a: { robot: r, input: '{{context.constructor}}' }"));
		expect(String((await inherited.run({ message: "go" })).tasks.a?.error)).toContain("needs context.constructor.");
	});

	it("answer as a fallback, and a robot by its name does so with the same message", async () => {
		const yaml = withTasks(
			"a: { robot: bad, fallback: 'No {{message}} for {{context.who}}.' }",
			"b: { robot: bad, fallback: { robot: r }, input: 'b: {{message}}' }",
		);
		const network = await load(yaml, { robots: { bad: failing("closed"), ...robots({ r: echo }) } });
		const { results, status } = await network.run({ message: "prices", context: { who: "you" } });
		expect([status, results.a?.lastTextContent, results.b?.lastTextContent]).toEqual(["done", "No prices for you.", "<b: prices>"]);
	});
});

describe("next in a network's file", () => {
	const yaml = withTasks(
		"triage:",
		"  robot: t",
		"  context: { who: you }",
		"  next:",
		"    - { when: billing, activate: billing }",
		"    - { when: [broken, does not work, 退款], activate: [technical, log] }",
		"    - { when: spam, halt: 'No answer to {{message}}, {{context.who}}.' }",
		"    - { when: bye, halt: true }",
		"    - { activate: other }",
		...["billing", "technical", "log", "other"].map(
			(name) => `${name}: { robot: r, depends_on: optional, input: '${name} after {{results.triage}}' }`,
		),
		"answer: { robot: r, depends_on: [triage, billing, technical, log, other] }",
	);
	const route = async (answer: string) => {
		const network = await load(yaml, { robots: robots({ t: answer, r: echo }) });
		return network.run({ message: "help" });
	};

	it.each([
		["billing", ["billing"]],
		["It is about BILLING, I think.", ["billing"]],
		["'Billing's' broken!", ["billing", "technical", "log"]],
		["it does\n not   work", ["technical", "log"]],
		["我要退款", ["technical", "log"]],
		["prebilling and billings", ["other"]],
		["it does work, not well", ["other"]],
		["", ["other"]],
	])("activates after %j what the words in it ask for: %j", async (answer, activated) => {
		const result = await route(answer);
		expect(result).toMatchObject({ status: "done", activated });
		expect(result.tasks.answer?.state).toBe("done");
		for (const name of activated) expect(result.results[name]?.lastTextContent).toBe(`<${name} after ${answer}>`.replace(/ >$/, ">"));
	});

	it("halts with a text that is filled in, or with the task's own result", async () => {
		expect(await route("Spam.")).toMatchObject({ status: "halted", value: "No answer to help, you." });
		expect(await route("bye")).toMatchObject({ status: "halted", lastTextContent: "bye" });
	});

	it("decides nothing where no rule fits and none is for all others", async () => {
		const network = await load(withTasks("a: { robot: r, next: [{ when: x, activate: b }] }", "b: { robot: r, depends_on: optional }"), {
			robots: robots({ r: "y" }),
		});
		expect(await network.run({ message: "go" })).toMatchObject({ status: "done", activated: [] });
	});

	it("looks through a long answer in no time that grows with its square", async () => {
		const long = "billin ".repeat(150_000);
		expect((await route(`${long}billing`)).activated).toEqual(["billing"]);
	});
});
