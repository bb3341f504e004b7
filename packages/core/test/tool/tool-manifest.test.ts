import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { ToolNotFoundError } from "../../src/errors/tool-not-found-error.js";
import { createTool } from "../../src/tool/create-tool.js";
import type { Tool } from "../../src/tool/tool.js";
import { ToolManifest } from "../../src/tool/tool-manifest.js";

const tool = (name: string, description = `Does ${name}.`): Tool => createTool({ name, description, execute: () => name });
const add = tool("add");
const read = tool("read_file");
const write = tool("write_file");

describe("ToolManifest", () => {
	it("holds tools in the order in which they came", () => {
		const manifest = new ToolManifest([write]).add(read).add(add);
		expect([...manifest]).toEqual([write, read, add]);
		expect(manifest.names).toEqual(["write_file", "read_file", "add"]);
		expect(manifest.size).toBe(3);
		expect(new ToolManifest().size).toBe(0);
	});

	it("puts a tool of a name that is taken into its place", () => {
		const other = tool("read_file", "Reads better.");
		const manifest = new ToolManifest([read, write]).add(other);
		expect([...manifest]).toEqual([other, write]);
		expect([...new ToolManifest([read, write, other])]).toEqual([other, write]);
	});

	it("merges lists and manifests into itself, and into a new one only when told", () => {
		const one = new ToolManifest([read]);
		const both = new ToolManifest(one).merge(new Set([add])).merge(new ToolManifest([write]));
		expect([...both]).toEqual([read, add, write]);
		expect([...one]).toEqual([read]);
		expect(both.merge(both)).toBe(both);
		expect(both.size).toBe(3);
	});

	it("removes, clears and replaces, itself by itself too", () => {
		const manifest = new ToolManifest([add, read, write]);
		expect([manifest.remove("read_file"), manifest.remove("read_file")]).toEqual([true, false]);
		expect(manifest.names).toEqual(["add", "write_file"]);
		expect([...manifest.replace(manifest)]).toEqual([add, write]);
		expect([...manifest.replace([read])]).toEqual([read]);
		expect(manifest.clear().size).toBe(0);
	});

	it("gets what there is, and fetches it or says what there is", () => {
		const manifest = new ToolManifest([read, write]);
		expect([manifest.get("read_file"), manifest.get("reed_file"), manifest.has("read_file"), manifest.has("toString")]).toEqual([
			read,
			undefined,
			true,
			false,
		]);
		expect(manifest.fetch("write_file")).toBe(write);
		expect(() => manifest.fetch("reed_file")).toThrow(
			'The manifest has no tool "reed_file". Did you mean "read_file"? Available: read_file, write_file.',
		);
		try {
			new ToolManifest().fetch("any");
			expect.unreachable();
		} catch (error) {
			expect(ToolNotFoundError.isInstance(error) && [error.code, error.toolName]).toEqual(["tool_not_found", "any"]);
			expect(String(error)).toContain("No tools are available.");
		}
		expect(() => manifest.fetch(7 as never)).toThrow(ToolNotFoundError);
	});

	it("is written as what a model is told of its tools", () => {
		const parameters = { type: "object", properties: {}, additionalProperties: false };
		expect(JSON.parse(JSON.stringify({ tools: new ToolManifest([add]) }))).toEqual({
			tools: [{ name: "add", description: "Does add.", parameters }],
		});
	});

	it.each([
		undefined,
		null,
		7,
		"add",
		{},
		{ name: "x" },
		{ name: "x", execute: () => 1 },
		{ ...add, name: "" },
		[add],
		Promise.resolve(add),
	])("refuses %j as a tool and stays as it was", (junk) => {
		const manifest = new ToolManifest([read]);
		expect(() => manifest.add(junk as never)).toThrow(ConfigurationError);
		expect(() => manifest.merge([write, junk as never])).toThrow(/merge\(\), which is no tool: make one with createTool/);
		expect(() => manifest.replace([junk as never])).toThrow(ConfigurationError);
		expect(() => new ToolManifest([junk as never])).toThrow(ConfigurationError);
		expect([...manifest]).toEqual([read]);
	});

	it.each([null, 7, "add", {}, add, (async function* () {})()])("refuses %j as a list of tools and stays as it was", (junk) => {
		const manifest = new ToolManifest([read]);
		expect(() => manifest.merge(junk as never)).toThrow(/a list of tools in merge\(\), got .* One tool goes into add\(\)/);
		expect(() => manifest.replace(junk as never)).toThrow(ConfigurationError);
		expect(() => new ToolManifest(junk as never)).toThrow(ConfigurationError);
		expect([...manifest]).toEqual([read]);
	});
});
