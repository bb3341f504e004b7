import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Capabilities } from "../../src/capability/capabilities.js";
import { reloadConfig } from "../../src/config/configure.js";
import { scriptHelp, withScriptHelp } from "../../src/script/script-help.js";
import { ScriptTool } from "../../src/script/script-tool.js";
import { createTool } from "../../src/tool/create-tool.js";
import type { Tool } from "../../src/tool/tool.js";
import { temporaryBundle } from "./bundle.js";

afterEach(() => {
	reloadConfig();
	ScriptTool.executor = undefined;
});

/** A bundle with one script, its tool, and how often the script was run. */
async function scriptOf(text: string, capabilities = new Capabilities()) {
	const bundle = temporaryBundle({ "a.sh": `# Does.\n${text}` });
	const tool = (await ScriptTool.fromPath(join(bundle, "a.sh"), { capabilities })) as Tool;
	const log = join(bundle, "log");
	return { tool, path: join(bundle, "a.sh"), runs: () => (existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0) };
}

const NOTE = 'echo "$*" >> "$SKILL_DIR/log"\n';

describe("scriptHelp()", () => {
	it("runs a script with --help and nothing to read, whatever it declares, once for one content, and never by itself", async () => {
		const { tool, path, runs } = await scriptOf(
			`# @arg word!\n${NOTE}cat; printf '\\033[1mUsage:\\033[0m %s\\r\\n\\342\\200\\256more\\n\\n' "$1"\n`,
		);
		expect(runs()).toBe(0);
		expect(await scriptHelp(tool)).toBe("Usage: --help\nmore");
		expect(await scriptHelp({ ...tool, name: "skill__a" })).toBe("Usage: --help\nmore");
		expect(runs()).toBe(1);
		expect(await withScriptHelp(tool)).toMatchObject({
			name: "a",
			description: "Does.\n\nUsage: --help\nmore",
			parameters: tool.parameters,
		});
		expect(runs()).toBe(1);
		writeFileSync(path, `${NOTE}echo changed\n`);
		expect(await scriptHelp(tool)).toBe("changed");
		expect(runs()).toBe(2);
	});

	it.each([
		["does not know --help", `${NOTE}echo "no option $1" >&2; exit 2\n`],
		["says nothing", NOTE],
	])("takes no text of a script that %s, and does not ask it again", async (_, text) => {
		const { tool, runs } = await scriptOf(text);
		expect(await scriptHelp(tool)).toBeUndefined();
		expect(await withScriptHelp(tool)).toBe(tool);
		expect(runs()).toBe(1);
	});

	it("ends a script that takes too long, takes none of its text, and asks it again another time", async () => {
		const { tool, runs } = await scriptOf(`${NOTE}echo begun; exec sleep 300\n`);
		expect(await scriptHelp(tool, { timeoutMs: 300 })).toBeUndefined();
		expect(await scriptHelp(tool, { timeoutMs: 300 })).toBeUndefined();
		expect(runs()).toBe(2);
	});

	it("asks a script again that was another one by the end of its run", async () => {
		const changing = await scriptOf(`${NOTE}echo "# more" >> "$0"; echo hello\n`);
		const before = readFileSync(changing.path);
		expect(await scriptHelp(changing.tool)).toBe("hello");
		writeFileSync(changing.path, before);
		expect(await scriptHelp(changing.tool)).toBe("hello");
		expect(changing.runs()).toBe(2);
	});

	it("takes 4,000 characters of what a script says at most", async () => {
		const { tool } = await scriptOf("head -c 5000000 /dev/zero | tr '\\0' x\n");
		expect((await scriptHelp(tool))?.length).toBe(4000);
	});

	it("hands the run to the executor as a call would, with the bundle's capabilities, and keeps nothing of a refusal", async () => {
		const capabilities = new Capabilities({ network: true });
		const { tool, path, runs } = await scriptOf(`${NOTE}echo hello\n`, capabilities);
		const seen: unknown[] = [];
		ScriptTool.executor = {
			specificationVersion: "v1",
			name: "seeing",
			run: async (command, options) => {
				seen.push([command, options.capabilities, options.stdin]);
				return Promise.reject(new Error("enough"));
			},
		};
		expect(await scriptHelp(tool)).toBeUndefined();
		expect(seen).toEqual([[["bash", path, "--help"], capabilities, undefined]]);
		ScriptTool.executor = undefined;
		expect(runs()).toBe(0);
		expect(await scriptHelp(tool)).toBe("hello");
	});

	it("asks whoever stands before the tool's call, which a copy of the request does not get past", async () => {
		const { tool, runs } = await scriptOf(`# @arg word!\n${NOTE}echo hello\n`);
		const inputs: unknown[] = [];
		const refusing: Tool = {
			...tool,
			call: async (input) => {
				inputs.push(input);
				return { text: "no", isError: true };
			},
		};
		expect(await scriptHelp(refusing)).toBeUndefined();
		expect(inputs).toEqual([{ args: ["--help"] }]);
		expect(await tool.call?.({ args: ["--help"] }, {})).toMatchObject({ isError: true });
		expect(runs()).toBe(0);
	});

	it("rejects with the reason of its signal", async () => {
		const { tool, runs } = await scriptOf(`${NOTE}exec sleep 300\n`);
		const reason = new Error("enough");
		await expect(scriptHelp(tool, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
		expect(runs()).toBe(0);
		const controller = new AbortController();
		const aborting: Tool = {
			...tool,
			call: async () => {
				controller.abort(reason);
				return { text: "too late", isError: false };
			},
		};
		const asked = scriptHelp(aborting, { signal: controller.signal });
		await expect(asked).rejects.toBe(reason);
	});

	it("refuses tools that are of no script, and options that nobody knows", async () => {
		const other = createTool({ name: "add", description: "Adds.", execute: () => 1 });
		await expect(scriptHelp(other)).rejects.toThrow("scriptHelp() needs the tool of a script");
		await expect(scriptHelp(undefined as never)).rejects.toThrow("got undefined");
		const { tool } = await scriptOf("echo\n");
		await expect(scriptHelp(tool, { timeout: 3 } as never)).rejects.toThrow('knows no option "timeout"');
		await expect(scriptHelp(tool, { timeoutMs: -1 })).rejects.toThrow("timeoutMs must be");
	});
});
