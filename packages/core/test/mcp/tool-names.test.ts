import fc from "fast-check";
import { expect, it } from "vitest";
import { type RemoteName, toolNames } from "../../src/mcp/tool-names.js";

const names = (...pairs: readonly (readonly [string, string])[]): readonly string[] =>
	toolNames(pairs.map(([server, tool]) => ({ server, tool })));

it("a name that is nobody else's stays, in letters that providers accept", () => {
	expect(names(["a", "read"], ["b", "files.write"], ["b", "grüße"])).toEqual(["read", "files_write", "gr__e"]);
});

it("a name that two servers share gets the server's name in front, for both", () => {
	expect(names(["a", "read"], ["b", "read"], ["b", "write"])).toEqual(["a_read", "b_read", "write"]);
});

it("a server cannot take the name that another's tool would get", () => {
	const [first, second, third] = names(["a", "read"], ["b", "read"], ["c", "a_read"]);
	expect(new Set([first, second, third]).size).toBe(3);
	expect(third).not.toBe("a_read");
	expect(first).not.toBe("a_read");
});

it("names that differ in case only, or in what providers do not accept, are told apart", () => {
	const offered = names(["a", "Read"], ["a", "read"], ["a", "x.y"], ["a", "x_y"], ["a", "x/y"]);
	expect(new Set(offered.map((name) => name.toLowerCase())).size).toBe(5);
});

it("a name that another tool has is nobody's, in any case of its letters", () => {
	const given = [
		{ server: "a", tool: "read" },
		{ server: "b", tool: "write" },
	];
	expect(toolNames(given, ["read"])).toEqual(["a_read", "write"]);
	expect(toolNames(given, ["READ", "a_Read"])).toEqual([expect.stringMatching(/^a_read_[0-9a-f]{8}$/), "write"]);
});

it("there is always a name left, whoever has taken those before", () => {
	const taken: string[] = [];
	for (let round = 0; round < 20; round += 1) taken.push(...toolNames([{ server: "a", tool: "read" }], taken));
	expect(new Set(taken).size).toBe(20);
	for (const name of taken) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
});

const hostileName = fc.oneof(fc.constantFrom("read", "Read", "a_read", "b_read", "", "_", "a", "a.read"), fc.string({ maxLength: 80 }));
const pairs = fc.uniqueArray(fc.record({ server: fc.constantFrom("a", "b", "A"), tool: hostileName }), {
	selector: ({ server, tool }: RemoteName) => JSON.stringify([server, tool]),
	maxLength: 40,
});

it("whatever servers call their tools, each gets a name of its own that every provider takes", () => {
	fc.assert(
		fc.property(pairs, fc.array(hostileName), (given, taken) => {
			const offered = toolNames(given, taken);
			expect(offered).toHaveLength(given.length);
			for (const name of offered) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
			expect(new Set(offered.map((name) => name.toLowerCase())).size).toBe(given.length);
			const others = new Set(taken.map((name) => name.toLowerCase()));
			expect(offered.filter((name) => others.has(name.toLowerCase()))).toEqual([]);
			// the order in which servers answer changes nothing
			const reversed = toolNames(given.toReversed(), taken);
			expect(reversed.toReversed()).toEqual(offered);
		}),
	);
});
