import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { McpConnection } from "../../src/mcp/connection.js";
import { canLookForSurvivors, uniqueSleep, untilLiving } from "../process/living.js";
import { call, connected, hostile, named } from "./hostile.js";

describe("a server that dies", () => {
	it("fails the call that it died of with text for the model, and is there again for the next", async () => {
		const servers = connected({ it: hostile("dies") });
		const tools = await servers.tools();
		expect(await call(named(tools, "work"))).toEqual({
			isError: true,
			text: 'Error (connection lost): The connection to the MCP server "it" was lost while it was asked for tools/call: Connection closed (it ended with exit code 3).',
		});
		expect(servers.status()[0]).toMatchObject({ name: "it", state: "idle", error: { code: "connection_lost", server: "it" } });
		expect(await call(named(tools, "other"))).toEqual({ isError: false, text: "other done" });
	});

	it("fails every call that was in flight", async () => {
		const servers = connected({ it: hostile("dies") });
		const work = named(await servers.tools(), "work");
		const outcomes = await Promise.all([call(work), call(work), call(work)]);
		expect(outcomes.map((outcome) => outcome?.text.slice(0, 23))).toEqual(Array(3).fill("Error (connection lost)"));
	});

	it("before it introduces itself is named with what it wrote, and left out with a warning", async () => {
		const servers = connected({ bad: hostile("dies at once"), good: hostile("works") });
		const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
		expect((await servers.tools()).map(({ name }) => name)).toEqual(["work", "other"]);
		expect((await warned).message).toMatch(/^The MCP server "bad" .*What it offers is left out\.$/s);
		expect(servers.status()[0]).toMatchObject({ state: "failed", error: { code: "unreachable" } });
		expect(servers.status()[0]?.error?.message).toContain('It wrote: "no token given".');
		await expect(servers.connect()).rejects.toMatchObject({ code: "unreachable", server: "bad" });
	});

	it("is not started again and again: after the second failure it is left alone, twice as long each time", async () => {
		const directory = mkdtempSync(join(tmpdir(), "starts-"));
		onTestFinished(() => rmSync(directory, { recursive: true }));
		const file = join(directory, "starts");
		let now = 0;
		const connection = new McpConnection("bad", hostile("dies at once", { env: { STARTS_FILE: file } }) as never, () => now);
		const starts = (): number => readFileSync(file, "utf8").split("\n").length - 1;
		const attempt = async (): Promise<number> => {
			await expect(connection.offers("tools")).rejects.toMatchObject({ code: "unreachable" });
			return starts();
		};
		const first = await attempt();
		const second = await attempt();
		expect(second).toBe(first * 2);
		expect(await attempt()).toBe(second);
		now += 499;
		expect(await attempt()).toBe(second);
		now += 1;
		const third = await attempt();
		expect(third).toBe(first * 3);
		now += 999;
		expect(await attempt()).toBe(third);
		now += 1;
		expect(await attempt()).toBe(first * 4);
	});
});

describe("a server that hangs", () => {
	it("and never introduces itself is given up, and killed with what it started", async () => {
		const marker = uniqueSleep();
		const servers = connected({ it: hostile("says nothing", { connectTimeoutMs: 1_500 }, marker) });
		await expect(servers.connect()).rejects.toMatchObject({
			code: "unreachable",
			message: expect.stringMatching(/did not introduce itself within \d+ ms|timed out/i),
		});
		if (canLookForSurvivors) expect(await untilLiving(marker, 0)).toEqual([]);
	});

	it("at one call fails that call, is told of it, and goes on with the others", async () => {
		const servers = connected({ it: hostile("hangs", { timeoutMs: 300 }) });
		const tools = await servers.tools();
		expect(await call(named(tools, "work"))).toEqual({
			isError: true,
			text: 'Error (timed out): The MCP server "it" did not answer tools/call within 300 ms.',
		});
		expect(await call(named(tools, "other"))).toEqual({ isError: false, text: "other done" });
		await expect.poll(() => servers.status()[0]?.errorOutput).toBe("called\ncancelled\n");
	});

	it("at a call that is aborted is told so, and the call says so", async () => {
		const servers = connected({ it: hostile("hangs") });
		const tools = await servers.tools();
		const stop = new AbortController();
		const outcome = call(named(tools, "work"), {}, stop.signal);
		await expect.poll(() => servers.status()[0]?.errorOutput).toBe("called\n");
		stop.abort();
		expect(await outcome).toEqual({ isError: true, text: "Error (aborted): the run was aborted while this tool ran" });
		await expect.poll(() => servers.status()[0]?.errorOutput).toBe("called\ncancelled\n");
	});
});

it("a late answer is not taken for the answer to the next call", async () => {
	const servers = connected({ it: hostile("answers late", { timeoutMs: 200 }) });
	const work = named(await servers.tools(), "work");
	expect((await call(work))?.text).toMatch(/^Error \(timed out\)/);
	const rest = [];
	for (let n = 2; n < 30; n++) rest.push(await call(work));
	expect(rest.map((outcome) => outcome?.text)).toEqual(Array.from({ length: 28 }, (_, index) => `answer ${index + 2}`));
});

describe("a server that says too much", () => {
	it("on standard error answers all the same, and 8 KiB of it are kept", async () => {
		const servers = connected({ it: hostile("floods stderr") });
		expect(await call(named(await servers.tools(), "work"))).toEqual({ isError: false, text: "work done" });
		await expect.poll(() => servers.status()[0]?.errorOutput).toContain("bytes cut");
		expect(servers.status()[0]?.errorOutput?.length).toBeLessThan(8_300);
	});

	it("beside the protocol is understood", async () => {
		const servers = connected({ it: hostile("talks beside") });
		expect(await call(named(await servers.tools(), "work"))).toEqual({ isError: false, text: "work done" });
	});

	it("in a line that never ends is ended", async () => {
		const marker = uniqueSleep();
		const servers = connected({ it: hostile("never ends a line", {}, marker) });
		await expect(servers.connect()).rejects.toMatchObject({
			code: "unreachable",
			message: expect.stringContaining("a message of more than 8388608 bytes"),
		});
		if (canLookForSurvivors) expect(await untilLiving(marker, 0)).toEqual([]);
	});

	it("in an answer is cut to what a model may read, without what steers a terminal", async () => {
		const servers = connected({ it: hostile("answers much") });
		const outcome = await call(named(await servers.tools(), "work"));
		expect(Buffer.byteLength(outcome?.text ?? "")).toBeLessThanOrEqual(32 * 1024);
		expect(outcome?.text).toMatch(/^begin (\[2J){10}z+\n\[… 1,0\d\d,\d\d\d bytes cut …\]\nz+ end$/);
	});
});

describe("a list of tools", () => {
	it.each([
		["comes back to a page", "comes back to a page it gave before"],
		["never ends its list", "has more than 200 pages"],
		["lists no list", "has no tools"],
	])("of a server that %s is refused", async (behaviour, why) => {
		const servers = connected({ it: hostile(behaviour) });
		const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
		expect(await servers.tools()).toEqual([]);
		expect((await warned).message).toContain(why);
	});

	it("that is odd gives tools that every provider takes", async () => {
		const tools = await connected({ it: hostile("lists oddly") }).tools();
		expect(tools.map(({ remoteName }) => remoteName.slice(0, 16))).toEqual([
			"work",
			"Work",
			"../../etc/passwd",
			"xxxxxxxxxxxxxxxx",
			"slow",
			"doubling",
			"endless",
			"deep",
			"none",
			"text",
		]);
		for (const { name } of tools) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
		expect(new Set(tools.map(({ name }) => name.toLowerCase())).size).toBe(tools.length);
		expect(named(tools, "slow").parameters.properties).toEqual({ a: { type: "string", pattern: "^(a+)+$" } });
		expect(named(tools, "deep").parameters).toEqual({ type: "object", properties: {} });
		expect(named(tools, "text").parameters).toEqual({ type: "object", properties: {} });
		expect(named(tools, "none").description).toBe("The tool none of the MCP server it.");
		const long = tools.find(({ remoteName }) => remoteName.startsWith("xx"));
		expect(long?.description).toMatch(/^long \[31mred\[0m y+… \(cut: the server wrote \d+ characters\)$/);
		expect(long?.description.length).toBeLessThan(4_100);
	});

	it("with schemas that would take for ever to check is checked at once", async () => {
		const tools = await connected({ it: hostile("lists oddly") }).tools();
		expect(await call(named(tools, "slow"), { a: `${"a".repeat(60)}!` })).toEqual({ isError: false, text: "slow done" });
		expect(await call(named(tools, "slow"), {})).toMatchObject({ isError: true, text: expect.stringContaining('"a"') });
		expect(await call(named(tools, "doubling"), { a: "b" })).toEqual({ isError: false, text: "doubling done" });
		expect(await call(named(tools, "endless"), { a: "b" })).toEqual({ isError: false, text: "endless done" });
	});
});

describe("what a server answers", () => {
	it("with isError set is a failure", async () => {
		const work = named(await connected({ it: hostile("fails") }).tools(), "work");
		expect(await call(work)).toEqual({ isError: true, text: "Error (the tool failed): the disk is full" });
		await expect(work.execute({}, {})).rejects.toMatchObject({ code: "tool_failed", server: "it" });
	});

	it("as a refusal is a failure, without what was given to it in confidence", async () => {
		const servers = connected({ it: hostile("refuses", { env: { GIVEN_TOKEN: "sk-very-secret" } }) });
		const outcome = await call(named(await servers.tools(), "work"));
		expect(outcome).toMatchObject({ isError: true, text: expect.stringMatching(/^Error \(refused\): .*no such thing, \[hidden\]$/) });
	});

	it("as nonsense is a failure, or nothing", async () => {
		const outcome = await call(named(await connected({ it: hostile("answers nonsense", { timeoutMs: 500 }) }).tools(), "work"));
		expect(outcome?.isError).toBe(true);
	});

	it("in kinds that are no text is named, and structured content is given as JSON", async () => {
		const outcome = await call(named(await connected({ it: hostile("answers oddly") }).tools(), "work"));
		expect(outcome?.text.split("\n")).toEqual([
			"[a part of the kind unnamed, not shown]",
			"[a part of the kind unnamed, not shown]",
			"[a part of the kind text, not shown]",
			"[image image/png, 3 bytes, not shown]",
			"[a part of the kind video, not shown]",
			'{"rows":[1,2]}',
		]);
	});
});

it("a server that says that its tools have changed is asked for them again, and not otherwise", async () => {
	const servers = connected({ it: hostile("changes") });
	const before = await servers.tools();
	expect(await servers.tools()).toEqual(before.map((tool) => expect.objectContaining({ name: tool.name })));
	await call(named(before, "work"));
	await expect.poll(async () => (await servers.tools()).map(({ name }) => name)).toEqual(["work", "other", "new2"]);
});

it("progress is told as output while the tool runs", async () => {
	const work = named(await connected({ it: hostile("tells of progress") }).tools(), "work");
	const told: string[] = [];
	expect(await work.call?.({}, { onOutput: (chunk, stream) => told.push(`${stream}: ${chunk}`) })).toEqual({
		isError: false,
		text: "done",
	});
	expect(told).toEqual(["stderr: step 1\n", "stderr: step 2\n"]);
});

it("a server that asks for a model, or for directories, is refused", async () => {
	const work = named(await connected({ it: hostile("asks back") }).tools(), "work");
	expect(await call(work)).toEqual({ isError: false, text: "-32601 -32601" });
});

it("an older server that dies of what it does not know is greeted as one", async () => {
	const servers = connected({ it: hostile("dies of what it does not know") });
	await servers.connect();
	expect(servers.status()[0]).toMatchObject({ state: "connected", protocolVersion: "2025-06-18" });
});
