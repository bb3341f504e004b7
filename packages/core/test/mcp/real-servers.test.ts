import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { call, connected, fromNpm, named } from "./hostile.js";

const everything = fromNpm("server-everything");

function directoryWith(files: Readonly<Record<string, string>>): string {
	const directory = realpathSync(mkdtempSync(join(tmpdir(), "mcp-files-")));
	onTestFinished(() => rmSync(directory, { recursive: true }));
	for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
	return directory;
}

interface Served {
	readonly url: string;
	readonly end: () => Promise<void>;
}

/** The everything server, started apart. */
async function served(transport: "streamableHttp" | "sse", port: number): Promise<Served> {
	const child = spawn(everything.command, [...(everything.args ?? []), transport], {
		env: { ...process.env, PORT: String(port) },
		stdio: ["ignore", "ignore", "pipe"],
	});
	const end = async (): Promise<void> => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.kill("SIGKILL");
		await once(child, "exit");
	};
	onTestFinished(end);
	let wrote = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		wrote += text;
	});
	await expect.poll(() => wrote, { timeout: 20_000 }).toContain(String(port));
	return { url: `http://127.0.0.1:${port}/${transport === "sse" ? "sse" : "mcp"}`, end };
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as { port: number };
	server.close();
	await once(server, "close");
	return port;
}

describe("the filesystem server", () => {
	it("reads what it may, and says what it may not", async () => {
		const directory = directoryWith({ "a.txt": "alpha" });
		const tools = await connected({ files: fromNpm("server-filesystem", [directory]) }).tools();
		const read = named(tools, "read_text_file");
		expect(read).toMatchObject({ server: "files", remoteName: "read_text_file" });
		expect(await call(read, { path: join(directory, "a.txt") })).toEqual({ text: "alpha", isError: false });
		expect(await call(read, { path: "/etc/passwd" })).toEqual({
			isError: true,
			text: expect.stringMatching(/^Error \(the tool failed\): Access denied/),
		});
		expect(await call(read, { path: 7 })).toMatchObject({ isError: true, text: expect.stringContaining("path") });
	});

	it("given twice gives each tool twice, with the server's name in front", async () => {
		const [one, other] = [directoryWith({ "a.txt": "one" }), directoryWith({ "a.txt": "other" })];
		const tools = await connected({
			left: fromNpm("server-filesystem", [one]),
			right: fromNpm("server-filesystem", [other]),
		}).tools();
		expect(tools.length % 2).toBe(0);
		expect(await call(named(tools, "left_read_text_file"), { path: join(one, "a.txt") })).toEqual({ text: "one", isError: false });
		expect(await call(named(tools, "right_read_text_file"), { path: join(other, "a.txt") })).toEqual({ text: "other", isError: false });
	});
});

describe.each(["stdio", "streamableHttp", "sse"] as const)("the everything server over %s", (transport) => {
	it("gives tools, resources and prompts", async () => {
		const servers = connected({ it: transport === "stdio" ? everything : { url: (await served(transport, await freePort())).url } });
		const tools = await servers.tools();
		expect(await call(named(tools, "get-sum"), { a: 2, b: 3 })).toEqual({ text: "The sum of 2 and 3 is 5.", isError: false });
		expect((await call(named(tools, "get-tiny-image")))?.text).toContain("[image image/png, 4,033 bytes, not shown]");
		expect(JSON.parse((await call(named(tools, "get-structured-content"), { location: "Chicago" }))?.text ?? "")).toHaveProperty(
			"temperature",
		);

		const resources = await servers.resources();
		const page = resources.find(({ name }) => name === "features.md");
		const [contents] = await servers.readResource("it", page?.uri ?? "");
		expect(contents).toMatchObject({ mimeType: "text/markdown", text: expect.stringContaining("#") });

		const prompts = await servers.prompts();
		expect(prompts.find(({ name }) => name === "args-prompt")?.arguments[0]).toMatchObject({ name: "city", required: true });
		const { messages } = await servers.prompt("it", "args-prompt", { city: "Bern" });
		expect(messages).toEqual([{ role: "user", text: expect.stringContaining("Bern") }]);
		await expect(servers.prompt("it", "no-such-prompt")).rejects.toMatchObject({ code: "refused", server: "it" });

		expect(servers.status()).toMatchObject([{ name: "it", state: "connected" }]);
		await servers.disconnect();
		expect(servers.status()).toMatchObject([{ name: "it", state: "disconnected" }]);
		expect(await call(named(tools, "get-sum"), { a: 2, b: 3 })).toMatchObject({
			isError: true,
			text: expect.stringContaining("disconnected for good"),
		});
	});
});

it("a server made with the package of today speaks the newest protocol", async () => {
	const servers = connected({ own: { command: process.execPath, args: [join(import.meta.dirname, "fixtures/own-server.mjs")] } });
	const tools = await servers.tools();
	expect(await call(named(tools, "greet"), { name: "Ada" })).toEqual({ text: "Hello Ada", isError: false });
	expect(await servers.resources()).toEqual([]);
	expect(servers.status()[0]?.protocolVersion).toBe("2026-07-28");
});

it("a server over HTTP that was away is reached again by the next call", async () => {
	const port = await freePort();
	const servers = connected({ it: { url: `http://127.0.0.1:${port}/mcp` } });
	await expect(servers.connect()).rejects.toMatchObject({
		code: "unreachable",
		message: expect.stringMatching(/^The MCP server "it" \(http:\/\/127.0.0.1:\d+\/\*{8}\) cannot be reached: .*ECONNREFUSED/),
	});
	await served("streamableHttp", port);
	expect(await call(named(await servers.tools(), "echo"), { message: "hi" })).toEqual({ text: "Echo: hi", isError: false });
});

it("a server over HTTP that was started anew fails the call that finds its session gone, and answers the next", async () => {
	const port = await freePort();
	const { url, end } = await served("streamableHttp", port);
	const echo = named(await connected({ it: { url } }).tools(), "echo");
	expect(await call(echo, { message: "one" })).toEqual({ text: "Echo: one", isError: false });
	await end();
	expect(await call(echo, { message: "two" })).toMatchObject({ isError: true, text: expect.stringMatching(/^Error \(connection lost\)/) });
	await served("streamableHttp", port);
	expect(await call(echo, { message: "three" })).toEqual({ text: "Echo: three", isError: false });
	await end();
});

it("a server over HTTP that forgot its sessions is reached anew", async () => {
	const port = await freePort();
	const { url, end } = await served("streamableHttp", port);
	const echo = named(await connected({ it: { url } }).tools(), "echo");
	await end();
	await served("streamableHttp", port);
	expect(await call(echo, { message: "one" })).toMatchObject({ isError: true, text: expect.stringMatching(/^Error \(connection lost\)/) });
	expect(await call(echo, { message: "two" })).toEqual({ text: "Echo: two", isError: false });
});
