import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { reloadConfig } from "../../src/config/configure.js";
import { scriptSourceOf } from "../../src/script/script-source.js";
import { ScriptTool } from "../../src/script/script-tool.js";
import type { Tool } from "../../src/tool/tool.js";
import { temporaryBundle } from "./bundle.js";

afterEach(() => {
	reloadConfig();
	ScriptTool.executor = undefined;
});

async function toolOf(text: string, name = "a.sh"): Promise<Tool> {
	const tool = await ScriptTool.fromPath(join(temporaryBundle({ [name]: text }), name));
	if (tool === undefined) throw new Error("there is no tool");
	return tool;
}

/** Calls a tool as a run loop does. */
async function call(tool: Tool, input: unknown): Promise<string> {
	const checked = await tool.validate(input);
	return checked.ok ? String(await tool.execute(checked.value, {})) : `invalid: ${checked.message}`;
}

describe("a tool of a script that declares its parameters", () => {
	it("shows them to the model as JSON Schema, frozen", async () => {
		const tool = await toolOf(
			"# Counts.\n# @option --limit=10 <INT 1..100> How many.\n# @option --level+[info|warn]\n# @option --out! <FILE>\n# @flag --json\n# @arg constructor*\n",
		);
		expect(tool.description).toBe("Counts.");
		expect(tool.parameters).toEqual({
			type: "object",
			properties: {
				limit: { type: "integer", minimum: 1, maximum: 100, description: "How many.", default: 10 },
				level: { type: "array", items: { type: "string", enum: ["info", "warn"] }, minItems: 1 },
				out: { type: "string", description: "(FILE)" },
				json: { type: "boolean" },
				constructor: { type: "array", items: { type: "string" } },
			},
			required: ["level", "out"],
			additionalProperties: false,
		});
		expect(Object.isFrozen(tool.parameters.properties?.limit)).toBe(true);
	});

	it("tells the model what is wrong and runs nothing, whichever way it is called", async () => {
		const bundle = temporaryBundle({ "a.sh": '# @arg word[a|b]\nmkdir "$SKILL_DIR/made"\n' });
		const tool = (await ScriptTool.fromPath(join(bundle, "a.sh"))) as Tool;
		expect(await call(tool, { word: "c" })).toBe('invalid: word must be one of "a", "b", not "c"');
		expect(await tool.execute({ word: "c" }, {})).toBe('Error (not run: invalid_arguments): word must be one of "a", "b", not "c"');
		expect(await tool.call?.({ args: ["a"] }, {})).toMatchObject({ isError: true, script: { refusal: { code: "invalid_arguments" } } });
		expect(readdirSync(bundle)).toEqual(["a.sh"]);
		expect(await call(tool, { word: "a" })).toBe("");
		expect(readdirSync(bundle)).toEqual(["a.sh", "made"]);
	});

	it("leaves the environment alone and standard input closed", async () => {
		const tool = await toolOf(
			'# @option --PATH\n# @option --BASH_ENV\n# @option --LD_PRELOAD\necho "$BASH_ENV|$LD_PRELOAD|"; cat; echo "$PATH"\n',
		);
		const output = await call(tool, { PATH: "/nowhere", BASH_ENV: "/tmp/x", LD_PRELOAD: "/tmp/y" });
		expect(output).toBe(`||\n${process.env.PATH}\n`);
	});

	it("hands JSON to a script that asks for it, of any length, and no words", async () => {
		const tool = await toolOf(
			"#!/usr/bin/env python3\n# @input json\n# @option --names*\n# @arg text\nimport json, sys\nv = json.loads(sys.stdin.readline())\nprint(len(sys.argv), len(v['names']), len(v['text']), repr(sys.stdin.read()))\n",
			"a.py",
		);
		const names = Array.from({ length: 10_000 }, (_, index) => `--name-${index}`);
		expect(await call(tool, { names, text: "é\n\u2028'\"".repeat(50_000) })).toBe("1 10000 250000 ''\n");
	});

	it("hands JSON to a script that does not read it, and hears of what it did", async () => {
		const tool = await toolOf("# @input json\n# @arg text\nexec 0<&-\necho done\n");
		expect(await call(tool, { text: "x".repeat(1_000_000) })).toBe("done\n");
	});

	it("hands 10,000 words to a script, and refuses what no program can be given", async () => {
		const tool = await toolOf("# @option --name*\necho $#\n");
		expect(await call(tool, { name: Array.from({ length: 10_000 }, (_, index) => `n${index}`) })).toBe("10000\n");
		expect(await call(tool, { name: "x".repeat(3_000_000) })).toMatch(/^Error \(not run: arguments_too_long\): /);
	});

	it("takes plain args where the declaration is malformed, and warns of it once", async () => {
		const bundle = temporaryBundle({ "a.sh": "# Does.\n# @option limit\necho $#\n" });
		const warnings: Error[] = [];
		const note = (warning: Error): void => void warnings.push(warning);
		process.on("warning", note);
		const tool = (await ScriptTool.fromPath(join(bundle, "a.sh"))) as Tool;
		await ScriptTool.fromPath(join(bundle, "a.sh"));
		await new Promise((resolve) => setImmediate(resolve));
		process.off("warning", note);
		expect(Object.keys(tool.parameters.properties ?? {})).toEqual(["args"]);
		expect(await call(tool, { args: ["x"] })).toBe("1\n");
		expect(warnings).toMatchObject([
			{ code: "ROBOT_LAB_SCRIPT_PARAMETERS", message: expect.stringMatching(/a\.sh:2: @option "limit": .*plain args\.$/) },
		]);
	});

	it("knows the script that it was made of, also under another name, and other tools know none", async () => {
		const bundle = temporaryBundle({ "a.sh": "# @arg x\n", "b.sh": "# Says.\n" });
		mkdirSync(join(bundle, "other"));
		const tool = (await ScriptTool.fromPath(join(bundle, "a.sh"), { skillDir: join(bundle, "other") })) as Tool;
		const source = scriptSourceOf({ ...tool, name: "skill__a" });
		expect(source).toMatchObject({ path: join(bundle, "a.sh"), skillDir: join(bundle, "other"), parameters: { input: "options" } });
		expect(scriptSourceOf((await ScriptTool.fromPath(join(bundle, "b.sh"))) as Tool)).not.toHaveProperty("parameters");
		expect(scriptSourceOf({} as Tool)).toBeUndefined();
		expect(scriptSourceOf(undefined as never)).toBeUndefined();
	});
});
