import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { parseTemplate } from "../../src/template/parse-template.js";
import { renderTemplates } from "../../src/template/render-templates.js";
import type { TemplateContext } from "../../src/template/template.js";
import { checkKnown, templateValues } from "../../src/template/template-values.js";

const parse = (frontMatter: string, body = "Hello") => parseTemplate("t", `---\n${frontMatter}\n---\n${body}`).template;
const render = (text: string, context: TemplateContext = {}) =>
	renderTemplates([parseTemplate("t", text).template], templateValues(context));

function messageOf(make: () => unknown): string {
	try {
		make();
	} catch (error) {
		if (ConfigurationError.isInstance(error)) return (error as Error).message;
		throw error;
	}
	throw new Error("nothing was thrown");
}

describe("front matter", () => {
	it("may say all of this", () => {
		const template = parse(
			[
				...["description: Helps.", "model: openai/gpt-5", "temperature: 0", "top_p: 0.5", "top_k: 40", "max_tokens: 100", "stop: END"],
				...[
					"presence_penalty: -1",
					"frequency_penalty: 0.5",
					"skills: [a, b/c]",
					"parameters: {company: , tone: kind}",
					"metadata: {x: 1}",
				],
			].join("\n"),
		);
		expect({ ...template, body: undefined }).toEqual({
			id: "t",
			body: undefined,
			description: "Helps.",
			skills: ["a", "b/c"],
			parameters: new Map([
				["company", null],
				["tone", "kind"],
			]),
			settings: {
				...{ model: "openai/gpt-5", temperature: 0, topP: 0.5, topK: 40, maxTokens: 100, stop: ["END"] },
				...{ presencePenalty: -1, frequencyPenalty: 0.5 },
			},
		});
	});

	it.each(["# Title\n\nText", "", "\uFEFFText", "--\nText"])("may be missing: %j", (text) => {
		const { template } = parseTemplate("t", text);
		expect(template).toMatchObject({ skills: [], settings: {}, parameters: new Map() });
		expect(renderTemplates([template], new Map())).toBe(text.replace("\uFEFF", ""));
	});

	it("sets nothing by a key that is left empty", () => {
		expect(parse("model:\ntemperature:\nskills:\nparameters:\ndescription:")).toMatchObject({
			settings: {},
			skills: [],
			parameters: new Map(),
		});
	});

	it.each([
		["temperature: hot", 'temperature must be a number, not "hot".'],
		["top_p: .nan", "top_p must be a number, not NaN."],
		["max_tokens: '5'", 'max_tokens must be a number, not "5".'],
		["model: 5", "model must be a text that is not blank, not 5."],
		["model: ' '", "model must be a text"],
		["description: [a]", "description must be a text"],
		["stop: [a, 1]", "stop must be a text or a list of texts, and has 1 in it."],
		["skills: {a: b}", "skills must be a text or a list of texts"],
		["parameters: [a, b]", 'parameters must be names with defaults, not a list. Write each on a line of its own, "tone: friendly"'],
		["parameters: {a b: 1}", '"a b" can be no parameter\'s name.'],
		["parameters: {a.b: 1}", '"a.b" can be no parameter\'s name.'],
		["- a", "its front matter is a list"],
		["a: !!js/function x", "line 2 is no valid YAML"],
		["a: 1\na: 2", 'line 3 has the key "a" a second time'],
	])("%j is refused", (frontMatter, message) => {
		expect(messageOf(() => parse(frontMatter))).toContain(message);
	});

	it("in another language is refused, and never run", () => {
		const text = "---js\n{ get model() { globalThis.wasRun = true } }\n---\nHello";
		expect(messageOf(() => parseTemplate("t", text))).toContain("only YAML is read");
		expect(globalThis).not.toHaveProperty("wasRun");
	});

	it("may be missing in a file whose lines end as on Windows", () => {
		expect(render("a\r\n{{x}}\r\nb\r\n", { x: "\r\n" })).toBe("a\n\r\n\nb");
	});

	it("that says what no template has is named, with the nearest key", () => {
		const { notices } = parseTemplate("t", "---\ntopP: 1\nrobot_name: bob\ntools: [a]\nmcp: []\n__proto__: 1\n---\n");
		expect(notices).toEqual([
			'"topP" is ignored: there is no such key of a template. Did you mean "top_p"?',
			'"robot_name" is ignored: a robot is named where it is made.',
			'"tools" is ignored: tools are given to the robot: localTools.',
			'"mcp" is ignored: servers are given to the robot.',
			'"__proto__" is ignored: there is no such key of a template.',
		]);
	});

	it("is counted when a line of the text is named", () => {
		expect(messageOf(() => parse("model: a\n# comment", "\n\nfirst\n{{second"))).toContain("line 8 has a {{");
		expect(messageOf(() => parseTemplate("t", "---\n---\n{{x"))).toContain("line 3 has a {{");
		expect(messageOf(() => parseTemplate("t", "a\r\nb\r\n{{x"))).toContain("line 3 has a {{");
	});
});

describe("parameters", () => {
	const text =
		"---\nparameters:\n  company:\n  tone: friendly\n  limits: { refunds: 50 }\n---\n{{company}}, {{tone}}, {{limits.refunds}}\n";

	it("have defaults, and what is given lies over them", () => {
		expect(render(text, { company: "Acme" })).toBe("Acme, friendly, 50");
		expect(render(text, { company: "Acme", tone: "", limits: { refunds: 5 } })).toBe("Acme, , 5");
		expect(render(text, { company: "Acme", tone: undefined, limits: null })).toBe("Acme, friendly, 50");
	});

	it("that must be given are all named, and so is what the text needs without saying so", () => {
		const needy = "---\nparameters: {company: , unused: }\n---\n{{company}} {{user.name}} {{#section}}{{inside}}{{/section}}";
		expect(messageOf(() => render(needy))).toBe(
			'Missing values: the template "t" needs company, unused, user. Give them as context: { … }, to the robot or to run(), or write defaults into the template.',
		);
		expect(messageOf(() => render(needy, { company: null, unused: 1, user: {} }))).toContain("needs company.");
	});

	it("of several templates are named for each, and each has its own defaults", () => {
		const [one, two] = [parseTemplate("one", "---\nparameters: {x: 1}\n---\n{{x}}"), parseTemplate("two", "{{x}}{{y}}")].map(
			({ template }) => template,
		);
		if (one === undefined || two === undefined) throw new Error("two were parsed");
		expect(messageOf(() => renderTemplates([one, two], new Map()))).toContain('the template "two" needs x, y. ');
		expect(renderTemplates([one, two], templateValues({ x: 5, y: 6 }))).toBe("5\n\n56");
		expect(renderTemplates([one, two], templateValues({ x: "", y: 6 }))).toBe("6");
	});

	it("that nobody takes are named, with the nearest", () => {
		const { template } = parseTemplate("t", text);
		expect(messageOf(() => checkKnown(templateValues({ compnay: "x", other: 1 }), [template]))).toBe(
			'context has "compnay", "other", which the template "t" does not take. Did you mean "company"? It takes company, limits, tone.',
		);
		expect(messageOf(() => checkKnown(templateValues({ x: 1 }), [parse("")]))).toContain("It takes none.");
		expect(messageOf(() => checkKnown(templateValues({ x: 1 }), []))).toContain("there is no template that takes values");
	});

	it("come to a text that is too long by name of the template", () => {
		expect(messageOf(() => render("{{x}}", { x: "x".repeat(1_000_001) }))).toBe(
			'The template "t" comes to more than 1000000 characters. Give it less.',
		);
	});
});
