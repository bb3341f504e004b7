import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Capabilities } from "../../src/capability/capabilities.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import type { ScriptExecutor, ScriptResult } from "../../src/script/script-executor.js";
import { ScriptTool } from "../../src/script/script-tool.js";

const result = (output: string): ScriptResult => ({
	output,
	exitCode: 0,
	signal: null,
	timedOut: false,
	aborted: false,
	truncatedBytes: 0,
	durationMs: 1,
	confinement: "none",
});
const executor = (name: string, said = name): ScriptExecutor => ({ specificationVersion: "v1", name, run: async () => result(said) });
const options = { capabilities: new Capabilities(), skillDir: "/" };

beforeEach(() => {
	ScriptTool.executor = undefined;
});
afterEach(() => {
	ScriptTool.executor = undefined;
});

describe("ScriptTool.executor", () => {
	it("is empty until something sets it, and empty again when set to undefined", () => {
		expect(ScriptTool.executor).toBeUndefined();
		const mine = executor("mine");
		ScriptTool.executor = mine;
		expect(ScriptTool.executor).toBe(mine);
		ScriptTool.executor = undefined;
		expect(ScriptTool.executor).toBeUndefined();
	});

	it("runs what ScriptTool runs", async () => {
		ScriptTool.executor = executor("mine", "run by mine");
		expect(await ScriptTool.execute(["sh", "-c", "echo run unconfined"], options)).toBe("run by mine");
	});

	it("refuses a second executor of another name and keeps the first", () => {
		ScriptTool.executor = executor("first");
		expect(() => {
			ScriptTool.executor = executor("second");
		}).toThrow(/already "first"; "second" was not installed.*replaceExecutor/);
		expect(ScriptTool.executor?.name).toBe("first");
	});

	it("takes one of the same name in its place, as when a package is loaded twice", () => {
		ScriptTool.executor = executor("same");
		const again = executor("same");
		ScriptTool.executor = again;
		expect(ScriptTool.executor).toBe(again);
	});

	it.each<[string, unknown]>([
		["null", null],
		["a function", () => result("")],
		["no run", { specificationVersion: "v1", name: "x" }],
		["no name", { specificationVersion: "v1", run: () => {} }],
		["an empty name", { specificationVersion: "v1", name: "", run: () => {} }],
		["another version", { specificationVersion: "v2", name: "x", run: () => {} }],
		["no version", { name: "x", run: () => {} }],
	])("refuses %s", (_, value) => {
		expect(() => {
			ScriptTool.executor = value as ScriptExecutor;
		}).toThrow(ConfigurationError);
		expect(() => ScriptTool.replaceExecutor(value as ScriptExecutor)).toThrow(ConfigurationError);
		expect(ScriptTool.executor).toBeUndefined();
	});

	it("is one slot for two copies of the package", async () => {
		const url = new URL("../../src/script/script-tool.ts?copy=2", import.meta.url).href;
		const slot = new URL("../../src/script/executor-slot.ts?copy=2", import.meta.url).href;
		const copy: typeof import("../../src/script/script-tool.js") = await import(/* @vite-ignore */ url);
		const otherSlot: typeof import("../../src/script/executor-slot.js") = await import(/* @vite-ignore */ slot);
		expect(copy.ScriptTool).not.toBe(ScriptTool);
		const mine = executor("mine");
		otherSlot.installExecutor(mine);
		expect(ScriptTool.executor).toBe(mine);
		ScriptTool.executor = undefined;
		expect(otherSlot.installedExecutor()).toBeUndefined();
	});
});

describe("ScriptTool.replaceExecutor()", () => {
	it("gives the earlier one back when disposed, once", () => {
		const first = executor("first");
		ScriptTool.executor = first;
		{
			using _ = ScriptTool.replaceExecutor(executor("second"));
			expect(ScriptTool.executor?.name).toBe("second");
		}
		expect(ScriptTool.executor).toBe(first);
	});

	it("is safe to dispose in any order and more than once", () => {
		const a = ScriptTool.replaceExecutor(executor("a"));
		const b = ScriptTool.replaceExecutor(executor("b"));
		const c = ScriptTool.replaceExecutor(executor("b"));
		a[Symbol.dispose]();
		expect(ScriptTool.executor?.name).toBe("b");
		c[Symbol.dispose]();
		c[Symbol.dispose]();
		expect(ScriptTool.executor?.name).toBe("b");
		b[Symbol.dispose]();
		expect(ScriptTool.executor).toBeUndefined();
	});

	it("brings nothing back that was taken out meanwhile", () => {
		ScriptTool.executor = executor("first");
		const replacement = ScriptTool.replaceExecutor(executor("second"));
		ScriptTool.executor = undefined;
		replacement[Symbol.dispose]();
		expect(ScriptTool.executor).toBeUndefined();
	});
});
