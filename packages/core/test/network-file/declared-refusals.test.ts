import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { configure } from "../../src/config/configure.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { type LoadNetworkOptions, loadNetwork } from "../../src/network-file/load-network.js";
import { AgentSkillCatalog } from "../../src/skill/agent-skill-catalog.js";
import { folder, load, refusal, robots, withTasks } from "./declared.js";

describe("loadNetwork() of what is no network", () => {
	it.each([
		["nothing", "", "lab.yaml, line 1: the file has no name. Write one at its top: name: …"],
		["a list", "- a", "lab.yaml, line 1: the file must be a map of settings, not a list."],
		["a text", "hello", 'lab.yaml, line 1: the file must be a map of settings, not "hello".'],
		["no YAML", "name: lab\ntasks: [", "lab.yaml, line 2: is no valid YAML"],
		["a tag that makes something", "name: lab\ntasks: !!js/function 'x'", "lab.yaml, line 2: is no valid YAML"],
		["a key twice", "name: lab\nname: other", 'lab.yaml, line 2: has the key "name" a second time.'],
		["a task twice", withTasks("a: { robot: r }", "a: { robot: r }"), 'lab.yaml, line 6: has the key "a" a second time.'],
		["a merge", "name: lab\n<<: { tasks: {} }", 'lab.yaml, line 2: "<<" is no key that there is.'],
		["a key that nobody knows", "name: lab\ntaskes: {}", 'lab.yaml, line 2: taskes is no key that there is. Did you mean "tasks"?'],
		["__proto__ as a key", "name: lab\n__proto__: { tasks: {} }", "lab.yaml, line 2: __proto__ is no key that there is."],
		["a name that is a number", "name: 7", "lab.yaml, line 1: name must be a text, not 7."],
		["a blank name", "name: ' '\ntasks: {}", "A network needs a name"],
		["no tasks", "name: lab", 'The network "lab": lab.yaml, line 1: the file has no tasks.'],
		["tasks that are a list", "name: lab\ntasks: [a]", "lab.yaml, line 2: tasks must be a map of settings, not a list."],
		[
			"a concurrency of 0",
			"name: lab\nconcurrency: 0",
			"lab.yaml, line 2: concurrency: new Network() needs a whole number from 1 as concurrency, got 0.",
		],
		[
			"an unknown policy",
			"name: lab\nconcurrency: 2\non_failure: carry_on",
			'lab.yaml, line 3: on_failure: new Network() needs "fail-fast" or "settle" as on_failure, got "carry_on".',
		],
		[
			"tools that are a map",
			"name: lab\ntools: { a: b }",
			"lab.yaml, line 2: tools must be inherit, none or a list of names, not an object.",
		],
	])("refuses %s and says where", async (_, yaml, message) => {
		const error = await refusal(yaml);
		expect(error.message).toContain(message);
		expect(["ConfigurationError", "NetworkError"]).toContain(error.name);
	});

	it.each([
		["no robot", ["a: {}"], "lab.yaml, line 5: tasks.a has no robot. Name one of those below robots: robot: …"],
		[
			"an unknown robot",
			["a: { robot: rr }"],
			'lab.yaml, line 5: tasks.a.robot names "rr", which is no robot. Did you mean "r"? There is r.',
		],
		["a robot that is a map", ["a: { robot: { model: x } }"], "lab.yaml, line 5: tasks.a.robot must be a text, not an object."],
		["an unknown key", ["a: { robot: r, dependson: [b] }"], 'tasks.a.dependson is no key that there is. Did you mean "depends_on"?'],
		["a camel's key", ["a: { robot: r, timeoutMs: 5 }"], 'tasks.a.timeoutMs is no key that there is. Did you mean "timeout_ms"?'],
		[
			"one name as dependencies",
			["a: { robot: r, depends_on: b }"],
			'depends_on must be none, optional or a list of names, e.g. [b], not "b".',
		],
		["numbers as dependencies", ["a: { robot: r, depends_on: [7] }"], "tasks.a.depends_on must be a list of texts, not a list."],
		["a timeout in words", ["a: { robot: r, timeout_ms: soon }"], 'tasks.a.timeout_ms must be a number, not "soon".'],
		["a timeout of -1", ["a: { robot: r, timeout_ms: -1 }"], "lab.yaml, line 5: tasks.a.timeout_ms: timeout_ms must be from 0"],
		[
			"half a retry",
			["a: { robot: r, retries: 0.5 }"],
			'lab.yaml, line 5: tasks.a.retries: The task "a" needs a whole number from 0 as retries, got 0.5.',
		],
		["retries as a map", ["a: { robot: r, retries: { sleep: x } }"], "tasks.a.retries must be a number, not an object."],
		[
			"a policy nobody knows",
			["a: { robot: r, on_failure: retry }"],
			'lab.yaml, line 5: tasks.a.on_failure: The task "a" needs "fail-fast" or "settle" as on_failure, got "retry".',
		],
		["a fallback that is a list", ["a: { robot: r, fallback: [x] }"], "tasks.a.fallback must be a text, not a list."],
		[
			"a fallback that is more than a robot",
			["a: { robot: r, fallback: { robot: r, text: x } }"],
			"tasks.a.fallback.text is no key that there is.",
		],
		["a fallback without a name", ["a: { robot: r, fallback: {} }"], "tasks.a.fallback names no robot."],
		["a fallback nobody knows", ["a: { robot: r, fallback: { robot: s } }"], 'tasks.a.fallback.robot names "s", which is no robot.'],
		["a context that is a text", ["a: { robot: r, context: x }"], 'tasks.a.context must be a map of values, not "x".'],
		[
			"servers of its own",
			["a: { robot: r, mcp: { evil: { command: sh } } }"],
			"tasks.a.mcp must be inherit, none or a list of names, not an object.",
		],
		["a group with a robot", ["a:", "  robot: r", "  tasks: { b: { robot: r } }"], "tasks.a.robot is no key that there is."],
		["an optional group", ["a: { depends_on: optional, tasks: { b: { robot: r } } }"], "a group's tasks are optional each by itself"],
		["a group in a group", ["a: { tasks: { b: { tasks: { c: { robot: r } } } } }"], "tasks.a.tasks.b.tasks is no key that there is."],
	])("refuses a task with %s", async (_, lines, message) => {
		expect((await refusal(withTasks(...lines))).message).toContain(message);
	});

	it.each([
		[
			"an unknown task",
			"unknown_task",
			["facts: { robot: r }", "b: { robot: r, depends_on: [fcts] }"],
			'lab.yaml, line 6: tasks.b.depends_on names "fcts", which is no task. Did you mean "facts"? There are facts, b.',
		],
		[
			"a cycle",
			"cycle",
			["a: { robot: r, depends_on: [b] }", "b: { robot: r, depends_on: [a] }"],
			'lab.yaml, line 5: tasks.a.depends_on cannot be: "a" waits for "b" waits for "a"',
		],
		["a group that waits for itself", "cycle", ["g: { depends_on: [g], tasks: { b: { robot: r } } }"], '"b" waits for "b"'],
		[
			"a task that waits for its own group",
			"cycle",
			["g: { tasks: { b: { robot: r, depends_on: [g] } } }"],
			"lab.yaml, line 5: tasks.g.tasks.b.depends_on cannot be",
		],
		[
			"a word with a meaning as a name",
			"invalid_name",
			["optional: { robot: r }"],
			"lab.yaml, line 5: tasks.optional: a task cannot be named",
		],
		["a name of an escape sequence", "invalid_name", ['"\\e[2J": { robot: r }'], "without control characters"],
		[
			"a name that is taken",
			"duplicate_name",
			["a: { robot: r }", "g: { tasks: { a: { robot: r } } }"],
			"lab.yaml, line 6: tasks.g.tasks.a has a name that is taken.",
		],
		["a group without tasks", "no_tasks", ["g: { tasks: {} }"], "lab.yaml, line 5: tasks.g.tasks has none"],
		[
			"the activation of nobody",
			"unknown_task",
			["a: { robot: r, next: [{ activate: bb }] }", "b: { robot: r, depends_on: optional }"],
			'lab.yaml, line 5: tasks.a.next[0].activate names "bb", which is no task. Did you mean "b"? There is b.',
		],
		[
			"the activation of who starts anyway",
			"not_optional",
			["a: { robot: r, next: [{ activate: b }] }", "b: { robot: r }"],
			'names "b", which starts by itself. Give that one depends_on: optional.',
		],
		[
			"the activation of what it waits for",
			"left_out",
			["o: { robot: r, depends_on: optional }", "a: { robot: r, depends_on: [o], next: [{ activate: o }] }"],
			'names "o", which "a" waits for itself',
		],
	])("refuses %s as a NetworkError of its own code", async (_, code, lines, message) => {
		const error = await refusal(withTasks(...lines));
		expect(error).toMatchObject({ name: "NetworkError", code });
		expect(error.message).toMatch(/^The network "lab": lab\.yaml, line \d+: /);
		expect(error.message).toContain(message);
	});

	it("refuses what waits for what stands further down with a group in between", async () => {
		const waiting = ["a: { robot: r, depends_on: [b] }", "g: { tasks: { c: { robot: r } } }", "b: { robot: r }"];
		expect((await refusal(withTasks(...waiting))).message).toContain(
			'lab.yaml, line 5: tasks.a.depends_on names "b", which stands further down, and a group is in between. Move what is waited for up.',
		);
	});

	it.each([
		["no list", "x", 'tasks.a.next must be a list of rules, e.g. - { when: billing, activate: billing }, not "x".'],
		["an empty list", "[]", "tasks.a.next must be a list of rules"],
		["a rule that is a text", "[billing]", 'tasks.a.next[0] must be a map of settings, not "billing".'],
		["a rule that does nothing", "[{ when: x }]", "tasks.a.next[0] says nothing to do. Give it activate or halt."],
		["an unknown key", "[{ if: x, halt: true }]", "tasks.a.next[0].if is no key that there is."],
		["a halt that is a number", "[{ halt: 7 }]", "tasks.a.next[0].halt must be true or a text, not 7."],
		["words that are none", "[{ when: '!?', halt: true }]", "tasks.a.next[0].when has no word in it."],
		["no words at all", "[{ when: [], halt: true }]", "tasks.a.next[0].when must be a text or a list of texts, not a list."],
		[
			"all others first",
			"[{ halt: true }, { when: x, halt: true }]",
			"tasks.a.next[0] has no when, so it is for all other answers. Put it behind",
		],
	])("refuses as next %s", async (_, next, message) => {
		expect((await refusal(withTasks(`a: { robot: r, next: ${next} }`))).message).toContain(message);
	});

	it.each([
		[
			"an unknown value",
			"'{{mesage}}'",
			'lab.yaml, line 6: tasks.b.input has {{mesage}}, which is none of its values. Did you mean "message"?',
		],
		["an unknown value in a section of a text", "'{{#results.a}}{{mesage}}{{/results.a}}'", "has {{mesage}}, which is none of its values."],
		[
			"an unknown value where a text is missing",
			"'{{^results.a}}{{contxt.k}}{{/results.a}}'",
			'has {{contxt.k}}, which is none of its values. Did you mean "context"?',
		],
		[
			"an unknown value in the section of a section",
			"'{{#message}}{{#.}}{{mesage}}{{/.}}{{/message}}'",
			"has {{mesage}}, which is none of its values.",
		],
		[
			"a task among the results that there is not",
			"'{{#results}}{{c}}{{/results}}'",
			'has {{results.c}}, and "b" does not depend on such a task.',
		],
		[
			"a result it does not wait for",
			"'{{results.c}}'",
			'has {{results.c}}, and "b" does not depend on such a task. Did you mean "a"? There is a.',
		],
		["something of a text", "'{{message.length}}'", "has {{message.length}}, and message is a text."],
		["something of a result", "'{{results.a.text}}'", "has {{results.a.text}}, and results.a is a text."],
		["braces that nobody closes", "'{{message'", "has a {{ that no }} closes"],
		["another template", "'{{> other}}'", "asks for another template by {{>"],
		["a number", "7", "tasks.b.input must be a text, not 7."],
	])("refuses an input with %s", async (_, input, message) => {
		const lines = ["a: { robot: r }", `b: { robot: r, depends_on: [a], input: ${input} }`, "c: { robot: r }"];
		expect((await refusal(withTasks(...lines))).message).toContain(message);
	});

	it("refuses results that are not there in context, fallback and halt as well", async () => {
		for (const option of ["context: { x: ['{{results.c}}'] }", "fallback: '{{results.c}}'", "next: [{ halt: '{{results.c}}' }]"]) {
			expect((await refusal(withTasks(`a: { robot: r, ${option} }`, "c: { robot: r }"))).message).toContain("has {{results.c}}");
		}
	});

	it.each([
		["headers", "headers: { authorization: x }", "robots.a.headers is no key that there is."],
		["tools that are code", "local_tools: [x]", "What else a robot takes, code gives it: loadNetwork(path, { robots })."],
		["a temperature in words", "temperature: hot", 'robots.a.temperature must be a number, not "hot".'],
		["too high a share", "top_p: 2", "lab.yaml, line 3: robots.a.top_p: top_p must be"],
		["a model that is none", "model: antropic/x", 'Did you mean "anthropic"?'],
		["a server of its own", "mcp: { evil: { command: sh } }", "robots.a.mcp must be inherit, none or a list of names, not an object."],
		["code in place of a number", "retries: { sleep: x }", "robots.a.retries must be a number, not an object."],
		["a list in place of a compaction", "auto_compact: [x]", "robots.a.auto_compact must be none or context_window, not a list."],
		["a skill as a text", "skills: log-report", 'robots.a.skills must be auto or a list of names of skills, not "log-report".'],
		["values for no template", "context: { a: b }", "lab.yaml, line 3: robots.a.context: context has"],
		[
			"a template that is not there",
			"template: a",
			'lab.yaml, line 3: robots.a.template: There is no template "a" in prompts (templatePath). There are none in it. The configuration names another folder by template_path; on the command line, --templates DIR does.',
		],
		[
			"a server that is not configured",
			"mcp: [nothere]",
			'lab.yaml, line 3: robots.a.mcp names "nothere", which is no configured MCP server.',
		],
		["a template elsewhere", "template: ../secret", "cannot be the id of a template"],
		["a prompt that is a list", "system_prompt: [a]", "robots.a.system_prompt must be a text, not a list."],
	])("refuses a robot with %s", async (_, setting, message) => {
		const yaml = `name: lab\nrobots:\n  a: { ${setting} }\ntasks:\n  t: { robot: a }`;
		expect((await refusal(yaml, {}, { "secret.md": "secret" })).message).toContain(message);
	});

	it("names the nearest skill where one is unknown, and the values that a template lacks or does not take", async () => {
		const yaml = (task: string, robot = "template: greet"): string =>
			`name: lab\nrobots:\n  a: { ${robot} }\ntasks:\n  t: { robot: a${task} }`;
		const files = { "prompts/greet.md": "---\nparameters:\n  language:\n---\nSpeak {{language}}." };
		expect((await refusal(yaml("", "skills: [walks]"))).message).toContain(
			`robots.a.skills names "walks", which is no skill in ${AgentSkillCatalog.SKILLS_ROOT}. `,
		);
		expect((await refusal(yaml(""), {}, files)).message).toContain(
			'lab.yaml, line 5: tasks.t: Missing values: the template "greet" needs language.',
		);
		expect((await refusal(yaml(", context: { langage: x }"), {}, files)).message).toContain(
			'tasks.t.context has "langage", which neither the task\'s texts use nor the template of "a" takes. Did you mean "language"?',
		);
	});

	it("refuses a value of a task that neither its texts use nor its robots' templates take, and names what they do", async () => {
		const files = { "prompts/greet.md": "---\nparameters:\n  language:\n---\nSpeak {{language}}." };
		const yaml = (task: string): string =>
			`name: lab\nrobots:\n  a: { template: greet, context: { language: x } }\n  b: {}\ntasks:\n  t: { ${task} }`;
		expect((await refusal(yaml("robot: b, context: { styl: short }, input: '{{context.style}} {{message}}'"), {}, files)).message).toBe(
			'lab.yaml, line 6: tasks.t.context has "styl", which neither the task\'s texts use nor the template of "b" takes. ' +
				'Did you mean "style"? The texts use style, the template takes nothing.',
		);
		expect((await refusal(yaml("robot: b, fallback: { robot: a }, context: { other: x }"), {}, files)).message).toContain(
			'nor the template of "b" and "a" takes. The texts use nothing, the template takes language.',
		);
		expect((await refusal(yaml("robot: b, fallback: { robot: a }, context: { language: x }"), {}, files)).message).toContain(
			'tasks.t.context: context has "language"',
		);
		await load(yaml("robot: a, context: { other: x }, halt: x").replace("halt: x", "input: '{{context}}'"), {}, files);
	});

	it("refuses MCP servers that are not configured, but where robots by code may have some of their own", async () => {
		configure({ mcpServers: { files: { command: "/nonexistent/server" } } });
		const top = `mcp: [fils]\n${withTasks("a: { robot: r }")}`;
		expect((await refusal(top)).message).toBe(
			'lab.yaml, line 1: mcp names "fils", which is no configured MCP server. Did you mean "files"? There is files. The configuration describes them as mcp_servers.',
		);
		const task = withTasks("a: { robot: r, mcp: [files, other] }");
		expect((await refusal(task)).message).toContain('lab.yaml, line 5: tasks.a.mcp names "other"');
		for (const yaml of [top, task]) expect((await load(yaml, { robots: robots({ r: "x" }) })).name).toBe("lab");
	});

	it("refuses with the names of a run's context what is missing and what no text uses, and without them neither", async () => {
		const yaml = withTasks(
			"a: { robot: r, input: 'in {{context.language}}{{#context.tone}} {{.}}{{/context.tone}}', next: [{ activate: b }] }",
			"b: { robot: r, depends_on: optional, context: { own: '{{context.who}}' }, fallback: '{{context.own}}' }",
		);
		const refused = async (...contextNames: string[]) => (await refusal(yaml, { contextNames })).message;
		expect(await refused()).toBe(
			"lab.yaml, line 5: tasks.a.input needs context.language. Give it to the run as context; on the command line, --context language=….",
		);
		expect(await refused("language")).toContain("lab.yaml, line 6: tasks.b.context needs context.who.");
		expect(await refused("langage", "who")).toBe(
			'lab.yaml, line 1: the file has no text that uses context.langage. Did you mean "language"? There are language, tone, who.',
		);
		expect(await refused("language", "who", "own")).toContain("has no text that uses context.own.");
		for (const contextNames of [["language", "who"], ["who", "tone", "language"], undefined])
			await load(yaml, contextNames === undefined ? {} : { contextNames });
		await load(withTasks("a: { robot: r, input: '{{context}}' }"), { contextNames: ["anything"] });
		expect((await refusal(yaml, { contextNames: "who" } as unknown as LoadNetworkOptions)).message).toContain(
			'loadNetwork() needs a list of names as contextNames, got "who".',
		);
	});

	it("refuses a model whose package is missing, or whose server nobody named, only where it is to import them", async () => {
		const yaml = (robot: string): string => `name: lab\nrobots:\n  r: ${robot}\ntasks:\n  a: { robot: r }`;
		const own = yaml("{ model: google/gemini }");
		expect((await load(own)).name).toBe("lab");
		expect(await refusal(own, { importModels: true })).toMatchObject({
			name: "DependencyError",
			message: expect.stringMatching(/^lab\.yaml, line 3: robots\.r: The model "google\/gemini" needs the package @ai-sdk\/google/),
		});
		expect((await refusal(yaml("{}"), { importModels: true, model: "google/gemini" })).message).toMatch(
			/^The model "google\/gemini" needs/,
		);
		vi.stubEnv("OPENAI_COMPATIBLE_BASE_URL", "");
		onTestFinished(() => void vi.unstubAllEnvs());
		expect(await refusal(yaml("{ model: openai-compatible/x }"), { importModels: true })).toMatchObject({
			name: "ConfigurationError",
			message: expect.stringContaining("robots.r: Cannot use the model"),
		});
		expect((await load(yaml("{}"), { importModels: true })).name).toBe("lab");
		expect((await refusal(own, { importModels: 1 } as unknown as LoadNetworkOptions)).message).toContain(
			"true or false as importModels, got 1.",
		);
	});

	it("refuses a robot that no task names, and takes the place of one that cannot be where code gives another", async () => {
		const yaml = (task: string): string => `name: lab\nrobots:\n  a: { template: none }\n  b: {}\ntasks:\n  t: { robot: ${task} }`;
		expect((await refusal(yaml("b"))).message).toContain("lab.yaml, line 3: robots.a.template: There is no template");
		expect((await load(yaml("a"), { robots: robots({ a: "x" }) })).toJSON().tasks).toHaveLength(1);
	});

	it("refuses options that are none, and robots that no task names", async () => {
		const yaml = withTasks("a: { robot: r }");
		expect((await refusal(yaml, { modle: "x" } as LoadNetworkOptions)).message).toContain('loadNetwork() knows no option "modle".');
		expect((await refusal(yaml, { model: "foo/bar" })).message).toContain(
			'loadNetwork() was given as model what is none. Unknown model "foo/bar".',
		);
		expect((await refusal(yaml, { robots: 7 } as unknown as LoadNetworkOptions)).message).toContain("needs robots by their names");
		expect((await refusal(yaml, { robots: robots({ rr: "x" }) })).message).toContain('the robot "rr", which no task of the file names.');
		expect((await refusal(yaml, { robots: { r: "x" } } as unknown as LoadNetworkOptions)).message).toContain("needs a robot");
	});
});

describe("loadNetwork() of what is no file", () => {
	it("refuses a path that is none, a file that is not there, a directory, what is no UTF-8 and what is too large", async () => {
		const root = folder({ "large.yaml": "#".repeat(256 * 1024 + 1), "latin.yaml": Uint8Array.of(0xff, 0xfe) });
		mkdirSync(join(root, "directory.yaml"));
		spawnSync("mkfifo", [join(root, "fifo.yaml")]);
		const message = (path: unknown): Promise<string> =>
			loadNetwork(path as string).then(
				() => "loaded",
				(error) => `${ConfigurationError.isInstance(error)} ${error.message}`,
			);
		for (const path of ["", 7, undefined, new URL("https://example.com/lab.yaml")]) {
			expect(await message(path)).toContain("true loadNetwork() needs the path of a YAML file");
		}
		expect(await message(join(root, "none.yaml"))).toContain("true The network");
		expect(await message(join(root, "none.yaml"))).toContain("there is no such file.");
		expect(await message(join(root, "directory.yaml"))).toContain("it is no file.");
		expect(await message(join(root, "fifo.yaml"))).toContain("it is no file.");
		expect(await message(join(root, "latin.yaml"))).toContain("it is not UTF-8 text.");
		expect(await message(join(root, "large.yaml"))).toContain("it is larger than 256 KiB.");
		expect(await message("/dev/zero")).toContain("it is no file.");
	});

	it("refuses aliases and levels without end, soon", async () => {
		const laughs = [
			"a: &a [x, x, x, x, x, x, x, x, x, x]",
			..."bcdefgh".split("").map((name, index) => `${name}: &${name} [${Array(10).fill(`*${"abcdefgh"[index]}`)}]`),
		];
		const yaml = withTasks("t: { robot: r, context: { x: [*h] } }").replace(
			"robots:",
			`robots:\n  q: { context: { ${laughs.join(", ")} } }`,
		);
		const message = expect.stringMatching(/^lab\.yaml cannot be read as YAML: .*alias/i);
		expect(await refusal(yaml)).toMatchObject({ name: "ConfigurationError", message });
		const many = Array.from({ length: 5_000 }, (_, place) => `t${place}: *t`);
		expect((await refusal(withTasks("t: &t { robot: r }", ...many))).message).toContain(
			"lab.yaml, line 106: has more than 100 aliases. Write the values.",
		);
		expect((await refusal(`name: lab\ntasks: ${"[".repeat(50_000)}`)).name).toBe("ConfigurationError");
		const deep = `${"[".repeat(200)}${"]".repeat(200)}`;
		expect((await refusal(withTasks(`a: { robot: r, context: { x: ${deep} } }`))).message).toContain("nested more than 100 deep");
	});

	it("refuses in no time what costs time that grows with the square of the file", async () => {
		const lines = (count: number, line: (place: number) => string): string[] => Array.from({ length: count }, (_, place) => line(place));
		const message = async (...tasks: string[]): Promise<string> => (await refusal(withTasks(...tasks))).message;
		expect(
			await message("z: { robot: r, context: { k: &k [x] } }", ...lines(2_000, (place) => `a${place}: { robot: r, context: { k: *k } }`)),
		).toBe("lab.yaml, line 106: has more than 100 aliases. Write the values.");
		const group = lines(1_900, (place) => `  g${place}: { robot: r }`);
		const repeated = Array(8_000).fill("g").join(", ");
		expect((await load(withTasks("g:", " tasks:", ...group, `z: { robot: r, depends_on: [${repeated}] }`))).toJSON().tasks).toHaveLength(
			1_901,
		);
		const halves = ["g", "h"].map((name) => lines(900, (place) => `  ${name}${place}: { robot: r }`));
		expect(await message("g:", " tasks:", ...(halves[0] ?? []), "h:", " depends_on: [g]", " tasks:", ...(halves[1] ?? []))).toContain(
			"comes to more than the 50000 dependencies that one file may have. Make several networks of it. A task that others wait for",
		);
		expect(await message(...lines(2_001, (place) => `a${place}: { robot: r }`))).toContain(
			"line 2005: tasks.a2000 comes to more than the 2000 tasks",
		);
		const chain = lines(
			900,
			(place) => `c${place}: { robot: r, depends_on: [${place === 0 ? "" : `c${place - 1}`}], next: [{ activate: [o, o, p] }] }`,
		);
		expect(await message(...chain, "o: { robot: r, depends_on: optional }", "p: { robot: r, depends_on: optional }")).toContain(
			"tasks.c500.next[0].activate comes to more than the 1000 activations",
		);
		const robots = lines(251, (place) => `  r${place}: {}`).join("\n");
		expect((await refusal(`name: lab\nrobots:\n${robots}\ntasks: { a: { robot: r0 } }`)).message).toContain(
			"robots comes to more than the 250 robots",
		);
		const loop = lines(50, (place) => `a${place}: { robot: r, depends_on: [a${(place + 1) % 50}] }`);
		expect(await message(...loop)).toMatch(/cannot be: "a0" waits for .* waits for "…" waits for .* waits for "a0", and none/);
	});

	it("takes aliases in values, each as what it stands for", async () => {
		const lines = Array.from({ length: 50 }, (_, place) => `a${place}: { robot: r, depends_on: [*z], input: *i }`);
		const network = await load(withTasks("&z z: { robot: r, input: &i hello }", ...lines));
		expect(network.toJSON().tasks.filter(({ dependsOn }) => String(dependsOn) === "z")).toHaveLength(50);
	});

	it.each([
		["in a context", "a: { robot: r, input: '{{context.k}}', context: { k: 1, k: 2 } }", 'line 5: has the key "k" a second time.'],
		[
			"deep in a context",
			"a: { robot: r, input: '{{context.k}}', context: { k: [{ x: 1, x: 2 }] } }",
			'line 5: has the key "x" a second time.',
		],
	])("refuses a key that is there twice %s", async (_, task, message) => {
		expect((await refusal(withTasks(task))).message).toContain(message);
	});

	it("reads YAML 1.2 and no other, and follows no merge keys, whatever the file says it is in", async () => {
		const yaml = withTasks("a: { robot: r, input: '{{context.k}}', context: { <<: { k: v } } }");
		expect((await refusal(`%YAML 1.1\n---\n${yaml}`)).message).toBe("lab.yaml, line 1: is in YAML 1.1. Write YAML 1.2, and no %YAML line.");
		for (const head of ["", "%YAML 1.2\n---\n"]) expect((await refusal(`${head}${yaml}`)).message).toContain('tasks.a.context has "<<"');
	});

	it("comes to a network or to a ConfigurationError, whatever stands in the file", async () => {
		const word = fc.constantFrom(
			"name",
			"tasks",
			"robots",
			"robot",
			"r",
			"a",
			"depends_on",
			"next",
			"when",
			"activate",
			"halt",
			"input",
			"optional",
			"{{message}}",
			"&a",
			"*a",
			"__proto__",
			"- ",
			": ",
			"\n",
			"\n  ",
			"\n    ",
			"[",
			"]",
			"{",
			"}",
			",",
			"'",
			'"',
			"!",
			"\u0000",
			"~",
		);
		await fc.assert(
			fc.asyncProperty(fc.array(word, { maxLength: 40 }), async (words) => {
				const root = folder({ "lab.yaml": words.join("") });
				const error = await loadNetwork(join(root, "lab.yaml"), { model: "offline" }).then(
					() => undefined,
					(reason) => reason,
				);
				if (error !== undefined) expect(ConfigurationError.isInstance(error)).toBe(true);
			}),
			{ numRuns: 150 },
		);
	});
});
