import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parametersSchema } from "../../src/script/parameters-schema.js";
import { comparableName, parseParameters } from "../../src/script/parse-parameters.js";
import { readParameters } from "../../src/script/read-parameters.js";
import { readScriptInput } from "../../src/script/script-input.js";
import type { ParameterType, ScriptParameter, ScriptParameters } from "../../src/script/script-parameters.js";
import { ScriptTool } from "../../src/script/script-tool.js";
import { jsonSchemaParameters } from "../../src/tool/json-schema-parameters.js";
import { temporaryBundle } from "./bundle.js";

function declare(tags: readonly string[]): ScriptParameters {
	const declaration = parseParameters([tags], tags.join("\n"));
	if (declaration?.ok !== true) throw new Error(JSON.stringify([tags, declaration]));
	return declaration.parameters;
}

const name = fc.oneof(
	fc.constantFrom("constructor", "toString", "args", "a.b", "1"),
	fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,6}$/),
);
const word = fc.stringMatching(/^[A-Za-zé0-9][A-Za-zé0-9.-]{0,5}$/);
const TYPES: Readonly<Record<ParameterType, string>> = { string: "TEXT", integer: "INT", number: "NUM", boolean: "BOOL" };

const option: fc.Arbitrary<ScriptParameter> = fc
	.record({
		name,
		kind: fc.constantFrom("option" as const, "flag" as const),
		type: fc.constantFrom<ParameterType>("string", "integer", "number", "boolean"),
		required: fc.boolean(),
		multiple: fc.boolean(),
		choices: fc.option(fc.uniqueArray(word, { minLength: 1, maxLength: 4 }), { nil: undefined }),
		bounds: fc.option(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.nat(9)), { nil: undefined }),
		description: fc.option(word, { nil: undefined }),
	})
	.map(({ choices, bounds, description, ...rest }) => {
		const flag = rest.kind === "flag" && { type: "boolean" as const, required: false, multiple: false };
		const type = flag ? "boolean" : rest.type;
		const ranged = bounds !== undefined && (type === "integer" || type === "number");
		return {
			...rest,
			...flag,
			...(choices !== undefined && type === "string" && { choices }),
			...(ranged && { minimum: bounds[0], maximum: bounds[0] + bounds[1] }),
			...(description !== undefined && { description }),
		};
	});
const options = fc.uniqueArray(option, { maxLength: 6, minLength: 1, selector: ({ name }) => comparableName(name) });

function tagOf({ name, kind, type, required, multiple, choices, minimum, maximum, description = "" }: ScriptParameter): string {
	if (kind === "flag") return `@flag --${name} ${description}`.trim();
	const mark = multiple ? (required ? "+" : "*") : required ? "!" : "";
	const range = minimum === undefined ? "" : ` ${minimum}..${maximum}`;
	return `@option --${name}${mark}${choices === undefined ? "" : `[${choices.join("|")}]`} <${TYPES[type]}${range}> ${description}`.trim();
}

const one = fc.oneof(
	word,
	fc.integer({ min: -20, max: 20 }),
	fc.boolean(),
	fc.double({ min: -1e6, max: 1e6, noNaN: true }),
	fc.constantFrom(null, "true", "5", "-1.5", [], {}),
);
const value = fc.oneof({ weight: 4, arbitrary: one }, { weight: 1, arbitrary: fc.array(one, { maxLength: 3 }) });

/** Values for some of the parameters, most of a type that fits. */
const inputFor = (parameters: readonly ScriptParameter[]): fc.Arbitrary<Record<string, unknown>> =>
	fc
		.tuple(
			...parameters.map((parameter) =>
				fc.option(fc.oneof(fitting(parameter), fitting(parameter), fitting(parameter).map(asModelsErr), value), { nil: undefined }),
			),
		)
		.map((values) =>
			Object.fromEntries(parameters.flatMap(({ name }, index) => (values[index] === undefined ? [] : [[name, values[index]]]))),
		);

/** As text, or without the list. */
const asModelsErr = (value: unknown): unknown => (Array.isArray(value) ? value[0] : String(value));

function fitting({ type, choices, minimum = -20, maximum = 20, multiple }: ScriptParameter): fc.Arbitrary<unknown> {
	const single: fc.Arbitrary<unknown> =
		choices !== undefined
			? fc.constantFrom(...choices)
			: {
					string: word,
					boolean: fc.boolean(),
					integer: fc.integer({ min: minimum, max: maximum }),
					number: fc.double({ min: minimum, max: maximum, noNaN: true }),
				}[type];
	return multiple ? fc.array(single, { minLength: 1, maxLength: 3 }) : single;
}

describe("a declaration", () => {
	it("that is written down is read as the same parameters", () => {
		fc.assert(
			fc.property(options, (parameters) => {
				expect(declare(parameters.map(tagOf)).parameters).toEqual(parameters);
			}),
		);
	});

	it("of any text at all is read, or has a flaw with a line of it", () => {
		const piece = fc.constantFrom(
			"@option ",
			"@arg ",
			"--",
			"-a ",
			"a",
			"!",
			"*",
			"+",
			"=",
			"[",
			"|",
			"]",
			"<",
			">",
			"INT",
			"1..2",
			" ",
			"`",
			'"',
			"é",
			"@input json",
		);
		const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 12 }).map((pieces) => pieces.join(""));
		fc.assert(
			fc.property(fc.array(text, { maxLength: 5 }), (lines) => {
				const declaration = parseParameters([lines], lines.join("\n"));
				if (declaration?.ok === true) {
					const { schema } = jsonSchemaParameters({ what: "x", noun: "parameters" }, parametersSchema(declaration.parameters));
					for (const key of Object.keys(schema.properties ?? {})) expect(key).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
				}
				for (const flaw of declaration?.ok === false ? declaration.flaws : []) expect(flaw.line).toBeGreaterThan(0);
			}),
			{ numRuns: 500 },
		);
	});
});

describe("what a model sends", () => {
	it("is taken as it is where the schema that it was shown takes it, and else becomes such, or is refused", () => {
		const cases = options.chain((parameters) => fc.tuple(fc.constant(parameters), inputFor(parameters)));
		let [taken, mended, refused] = [0, 0, 0];
		fc.assert(
			fc.property(cases, ([list, input]) => {
				const parameters = declare(list.map(tagOf));
				const shown = jsonSchemaParameters({ what: "x", noun: "parameters" }, parametersSchema(parameters));
				const read = readParameters(parameters, input);
				if (shown.validate(input) instanceof Promise) throw new Error("it is no promise");
				const accepts = (value: unknown): boolean => (shown.validate(value) as { ok: boolean }).ok;
				if (accepts(input)) expect(read).toEqual({ ok: true, value: input });
				if (read.ok) expect(shown.validate(read.value)).toMatchObject({ ok: true });
				if (read.ok) expect(readParameters(parameters, read.value)).toEqual(read);
				if (accepts(input)) taken++;
				else if (read.ok) mended++;
				else refused++;
			}),
			{ numRuns: 300 },
		);
		expect(Math.min(taken, mended, refused)).toBeGreaterThan(10);
	});
});

const TAGS = ["@option --limit <INT>", "@option --name", "@option --tag*", "@flag --json", "@arg first!", "@arg rest*"];
const PARAMETERS = declare(TAGS);

/** A parser in the usual way of each language, over many lists of words: JSON in, JSON out. */
const NODE = `import { parseArgs } from "node:util";
import { readFileSync } from "node:fs";
const options = { limit: { type: "string" }, name: { type: "string" }, tag: { type: "string", multiple: true }, json: { type: "boolean" } };
const results = JSON.parse(readFileSync(0, "utf8")).map((args) => {
	const { values, positionals: [first, ...rest] } = parseArgs({ args, options, allowPositionals: true });
	return { ...values, first, rest };
});
console.log(JSON.stringify(results));
`;
const PYTHON = `import argparse, json, sys
parser = argparse.ArgumentParser()
parser.add_argument("--limit"); parser.add_argument("--name"); parser.add_argument("--tag", action="append")
parser.add_argument("--json", action="store_true", default=None); parser.add_argument("first"); parser.add_argument("rest", nargs="*")
print(json.dumps([{k: v for k, v in vars(parser.parse_args(args)).items() if v is not None} for args in json.load(sys.stdin)]))
`;
/** Each list of words comes as their number and the words, each ended by a NUL; each result goes back as pairs, ended by an empty one. */
const BASH = `parse() {
	while (($#)); do
		case $1 in
		--limit=*) put limit "\${1#*=}" ;;
		--name=*) put name "\${1#*=}" ;;
		--tag=*) put tag "\${1#*=}" ;;
		--json) put json true ;;
		--) shift; break ;;
		-*) echo "no option $1" >&2; exit 2 ;;
		*) break ;;
		esac
		shift
	done
	put first "$1"; shift
	for word in "$@"; do put rest "$word"; done
	put "" ""
}
put() { printf '%s\\0%s\\0' "$1" "$2"; }
while IFS= read -r -d "" count; do
	words=()
	for ((i = 0; i < count; i++)); do IFS= read -r -d "" word; words+=("$word"); done
	parse "\${words[@]}"
done
`;

const hostile = fc.constantFrom(
	"-x",
	"--",
	"--help",
	"-",
	"=",
	"--limit=9",
	"$(id)",
	"`id`",
	"'",
	'"',
	"a b",
	"\n",
	"",
	"*",
	"~",
	"\\",
	"@file",
	"sport='cycling'",
);
const text = fc.oneof(
	hostile,
	fc.string({ unit: "binary", maxLength: 8 }).map((one) => one.replaceAll("\0", "")),
);
const meant = fc.record(
	{
		limit: fc.maxSafeInteger(),
		name: text,
		tag: fc.array(text, { minLength: 1, maxLength: 3 }),
		json: fc.constant(true),
		first: text,
		rest: fc.array(text, { maxLength: 3 }),
	},
	{ requiredKeys: ["first", "rest"] },
);
const CASES = fc.sample(meant, { numRuns: 200, seed: 7 });
/** All that a parser sees is text. */
const asText = ({ limit, ...others }: (typeof CASES)[number]): object => ({
	...others,
	...(limit !== undefined && { limit: String(limit) }),
});

function wordsFor(input: unknown): readonly string[] {
	const read = readScriptInput(PARAMETERS, input);
	if (!read.ok) throw new Error(read.message);
	return read.value.args;
}

describe("what a script's own parser makes of the words", () => {
	it("is what was meant, with node's parseArgs", () => {
		const printed = execFileSync(process.execPath, ["--input-type=module", "-e", NODE], {
			input: JSON.stringify(CASES.map(wordsFor)),
			encoding: "utf8",
		});
		expect(JSON.parse(printed)).toEqual(CASES.map(asText));
	});

	it("is what was meant, with Python's argparse, which before 3.13 loses a value that is -- and nothing else", () => {
		const cases = CASES.filter(({ name, tag = [], rest }) => ![name, ...tag, ...rest].includes("--"));
		const printed = execFileSync("python3", ["-c", PYTHON], { input: JSON.stringify(cases.map(wordsFor)), encoding: "utf8" });
		expect(JSON.parse(printed)).toEqual(cases.map(asText));
	});

	it("is what was meant, with a loop in bash", () => {
		const input = CASES.map(wordsFor).flatMap((words) => [String(words.length), ...words]);
		const printed = execFileSync("bash", ["-c", BASH], { input: `${input.join("\0")}\0`, encoding: "utf8" });
		const pairs = printed.split("\0");
		const results: Record<string, unknown>[] = [{ rest: [] }];
		for (let index = 0; index + 1 < pairs.length; index += 2) {
			const [key = "", value = ""] = pairs.slice(index, index + 2);
			const result = results.at(-1) as Record<string, unknown>;
			if (key === "") results.push({ rest: [] });
			else if (key === "tag" || key === "rest") result[key] = [...((result[key] as string[] | undefined) ?? []), value];
			else result[key] = key === "json" ? true : value;
		}
		expect(results.slice(0, -1)).toEqual(CASES.map(asText));
	});
});

describe("a tool of a script that declares parameters", () => {
	const LANGUAGES = {
		"a.sh": `#!/bin/bash\n#${TAGS.join("\n#")}\nprintf '%s\\n' "$#"; printf '%s\\0' "$@"; cat\n`,
		"a.py": `"""${TAGS.join("\n")}\n"""\nimport sys\nprint(len(sys.argv) - 1)\nsys.stdout.write("".join(a + "\\0" for a in sys.argv[1:]) + sys.stdin.read())\n`,
		"a.mjs": `// ${TAGS.join("\n// ")}\nimport { readFileSync } from "node:fs";\nconst args = process.argv.slice(2);\nconsole.log(args.length);\nprocess.stdout.write(args.map((a) => a + "\\0").join("") + readFileSync(0, "utf8"));\n`,
	};

	it.each(Object.keys(LANGUAGES))("hands %s the very words, quotes included, and nothing to read", async (file) => {
		const tool = await ScriptTool.fromPath(join(temporaryBundle(LANGUAGES), file));
		const tag = ["sport='cycling'", 'say "hi"', "$HOME `id` *", "--help", "é𝒳\u202e\n\t", ""];
		const words = [...tag.map((one) => `--tag=${one}`), "--json", "--", "--", "-rf"];
		const checked = await tool?.validate({ tag, json: "true", first: "--", rest: "-rf" });
		expect(checked).toEqual({ ok: true, value: { tag, json: true, first: "--", rest: ["-rf"] } });
		expect(await tool?.execute(checked?.ok && checked.value, {})).toBe(`${words.length}\n${words.map((one) => `${one}\0`).join("")}`);
	});
});
