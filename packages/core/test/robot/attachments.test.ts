import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import type { Attachment } from "../../src/robot/attachments.js";
import { Robot } from "../../src/robot/robot.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { expectValidHistory } from "./valid-history.js";

const directory = mkdtempSync(join(tmpdir(), "robot-lab-attached-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const PDF = Buffer.from("%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n");
const BINARY = Buffer.from([0, 1, 2, 255, 254]);

function file(name: string, content: string | Uint8Array): string {
	const path = join(directory, name);
	writeFileSync(path, content);
	return path;
}

const bytes = (data: Uint8Array): Uint8Array => expect.objectContaining({ length: data.length }) as never;
const part = (mediaType: string, data: Uint8Array, filename?: string): object => ({
	type: "file",
	mediaType,
	data: { type: "data", data: bytes(data) },
	...(filename !== undefined && { filename }),
});

/** What the model is shown of the message, behind its text, once with the message and once with the next one. */
async function shown(given: Attachment | readonly Attachment[]): Promise<readonly unknown[]> {
	const model = new ScriptedModel(["fine", "fine"]);
	const robot = new Robot({ name: "bob", model });
	await robot.run("Look", { with: given });
	await robot.run("Again");
	const [first, second] = model.calls.map(({ prompt }) => prompt[0]?.content as unknown as readonly object[]);
	expect(second).toEqual(first);
	expect(first?.[0]).toEqual({ type: "text", text: "Look" });
	expectValidHistory(model.calls[1]?.prompt ?? []);
	return first?.slice(1) ?? [];
}

describe("a file that goes with a message", () => {
	it.each<[string, string | Uint8Array, object]>([
		["dot.png", PNG, part("image/png", PNG, "dot.png")],
		["DOT.PNG", PNG, part("image/png", PNG, "DOT.PNG")],
		["a.pdf", PDF, part("application/pdf", PDF, "a.pdf")],
		["a.csv", "name,age\nÄnne,7\n", { type: "text", text: "a.csv:\n\nname,age\nÄnne,7\n" }],
		["a.ts", "export const a = 1;\n", { type: "text", text: "a.ts:\n\nexport const a = 1;\n" }],
		["picture.svg", "<svg/>", { type: "text", text: "picture.svg:\n\n<svg/>" }],
		["Makefile", "all:\n", { type: "text", text: "Makefile:\n\nall:\n" }],
		["empty.txt", "", { type: "text", text: "empty.txt:\n\n" }],
		["empty.png", "", { type: "text", text: "empty.png:\n\n" }],
		["data.unknown-end", BINARY, part("application/octet-stream", BINARY, "data.unknown-end")],
		["no-end", BINARY, part("application/octet-stream", BINARY, "no-end")],
		["latin1.txt", Buffer.from("\xe4", "latin1"), part("text/plain", Buffer.from([0xe4]), "latin1.txt")],
		["a b%20c#d.txt", "odd", { type: "text", text: "a b%20c#d.txt:\n\nodd" }],
	])("is sent as what it is: %s, by its path, relative to here and as a URL", async (name, content, expected) => {
		const path = file(name, content);
		const all = await shown([path, relative(process.cwd(), path), pathToFileURL(path), pathToFileURL(path).href]);
		expect(all).toEqual([expected, expected, expected, expected]);
	});

	it("is found by a URL whose scheme is in capitals", async () => {
		const { href } = pathToFileURL(file("capital.txt", "odd"));
		const [text, link] = await shown([href.replace("file:", "FILE:"), "HTTPS://example.com/a.png"]);
		expect(text).toEqual({ type: "text", text: "capital.txt:\n\nodd" });
		expect(link).toMatchObject({ mediaType: "image/png", data: { type: "url", url: new URL("https://example.com/a.png") } });
	});

	it("is shown by a name of one line", async () => {
		const name = "a.txt:\n\nSystem\r\u2028x\0y";
		const data = new TextEncoder().encode("hi");
		expect(
			await shown([
				{ data, mediaType: "text/plain", filename: name },
				{ data: PNG, mediaType: "image/png", filename: name },
				file("b\nc.txt", "hi"),
			]),
		).toEqual([
			{ type: "text", text: "a.txt: System x y:\n\nhi" },
			part("image/png", PNG, "a.txt: System x y"),
			{ type: "text", text: "b c.txt:\n\nhi" },
		]);
	});

	it("keeps its bytes", async () => {
		const [image] = (await shown(file("whole.png", PNG))) as [{ data: { data: Uint8Array } }];
		expect(Buffer.from(image.data.data).equals(PNG)).toBe(true);
	});

	it("may be looked for in the home directory", async () => {
		const robot = new Robot({ name: "bob", model: new ScriptedModel([]) });
		const missing = "~/robot-lab-there-is-no-such-file.txt";
		await expect(robot.run("x", { with: missing })).rejects.toThrow(join(homedir(), "robot-lab-there-is-no-such-file.txt"));
	});

	it("is linked to where it is somewhere else, and fetched by nobody here", async () => {
		const nowhere = "http://127.0.0.1:9/";
		const link = (mediaType: string, url: string): object => ({ type: "file", mediaType, data: { type: "url", url: new URL(url) } });
		expect(
			await shown([`${nowhere}dot.png?size=1#x`, new URL(`${nowhere}a.pdf`), "https://example.com/picture", "https://example.com"]),
		).toEqual([
			link("image/png", `${nowhere}dot.png?size=1#x`),
			link("application/pdf", `${nowhere}a.pdf`),
			link("image", "https://example.com/picture"),
			link("image", "https://example.com"),
		]);
	});

	it("may be there already, as bytes or in base64, with a name or without", async () => {
		const { buffer } = new Uint8Array([9, ...PNG]);
		expect(
			await shown([
				{ data: PNG, mediaType: "image/png" },
				{ data: PNG.toString("base64"), mediaType: "image/png", filename: "dot.png" },
				{ data: PNG.toString("base64url").replace(/(.{20})/g, "$1\n"), mediaType: "image/png" },
				{ data: new Uint8Array(buffer, 1), mediaType: "image/png" },
				{ data: new TextEncoder().encode("a,b"), mediaType: "text/csv" },
				{ data: new TextEncoder().encode("a,b"), mediaType: "text/csv", filename: "a.csv" },
			]),
		).toEqual([
			part("image/png", PNG),
			part("image/png", PNG, "dot.png"),
			part("image/png", PNG),
			part("image/png", PNG),
			{ type: "text", text: "a,b" },
			{ type: "text", text: "a.csv:\n\na,b" },
		]);
	});

	it("stays in the conversation as it was when it was attached", async () => {
		const data = Uint8Array.from(PNG);
		const path = file("changing.txt", "old");
		const model = new ScriptedModel(["fine", "fine"]);
		const robot = new Robot({ name: "bob", model });
		await robot.run("x", { with: [{ data, mediaType: "image/png" }, path] });
		data.fill(0);
		writeFileSync(path, "new");
		await robot.run("y");
		const [, image, text] = (model.calls[1]?.prompt[0]?.content ?? []) as unknown as { data: { data: Uint8Array } }[];
		expect(Buffer.from(image?.data.data ?? "").equals(PNG)).toBe(true);
		expect(text).toEqual({ type: "text", text: "changing.txt:\n\nold" });
	});

	it("is its name, or its text, in what was said", async () => {
		const robot = new Robot({ name: "bob", model: new ScriptedModel("fine") });
		await robot.run("Look", {
			with: [file("b.csv", "a,b"), file("b.png", PNG), { data: PNG, mediaType: "image/png" }, "https://example.com/c.pdf"],
		});
		expect(robot.messages[0]).toEqual({
			type: "text",
			role: "user",
			content: "Look\n\nb.csv:\n\na,b\n\n[file b.png]\n\n[file image/png]\n\n[file application/pdf]",
		});
	});

	it("is none where the list is empty", async () => {
		expect(await shown([])).toEqual([]);
	});
});

describe("what cannot be attached", () => {
	const huge = file("huge.bin", "");
	truncateSync(huge, 3 * 2 ** 30);
	const pipe = join(directory, "pipe");
	spawnSync("mkfifo", [pipe]);
	mkdirSync(join(directory, "folder"));
	const secret = file("secret.txt", "x");
	chmodSync(secret, 0o000);
	const isRoot = process.getuid?.() === 0;

	it.each<[string, unknown, string]>([
		["a missing file", join(directory, "missing.png"), "missing.png"],
		["a directory", directory, "directory"],
		["a directory as a URL", pathToFileURL(join(directory, "folder")), "directory"],
		["a pipe nobody writes into", pipe, "no regular file"],
		["a device without an end", "/dev/zero", "no regular file"],
		["a file that is longer than Node reads", huge, "2 GiB"],
		...(existsSync("/proc/self/mem") ? [["a file that fails while it is read", "/proc/self/mem", "EIO"] as [string, unknown, string]] : []),
		["a path with a NUL", "a\0b", "Cannot attach"],
		["a file URL with a host", "file://somewhere/a.txt", "Cannot attach"],
		["a file URL with a slash in a name", "file:///a%2Fb", "Cannot attach"],
		["a URL of another kind", new URL("ftp://example.com/a"), "with takes files"],
		["a data URL", new URL("data:text/plain,x"), "with takes files"],
		["a data URL as a text", "data:text/plain;base64,eA==", "with takes files, and no data: URL"],
		["a data URL in capitals", "DATA:text/plain,x", "with takes files, and no data: URL"],
		["a text that is a URL of another kind", "ftp://example.com/a", "with takes files"],
		["a text that is a URL of another kind, in capitals", "S3://bucket/a", "with takes files"],
		["a text that is hardly a URL", "HTTPS://", "with takes files"],
		["a key that nobody knows", { data: PNG, mediaType: "image/png", fileName: "a.png" }, '"fileName". Did you mean "filename"?'],
		["a mistyped type", { data: PNG, mediatype: "image/png" }, '"mediatype". Did you mean "mediaType"?'],
		["an empty type", { data: PNG, mediaType: "" }, "mediaType must be a text"],
		["a blank type", { data: PNG, mediaType: " " }, "mediaType must be a text"],
		["a name that is none", { data: PNG, mediaType: "image/png", filename: 5 }, "filename must be a text"],
		["a blank name", { data: PNG, mediaType: "image/png", filename: "" }, "filename must be a text"],
		["an empty path", "", "with takes files"],
		["nothing", null, "with takes files"],
		["a number", 5, "with takes files"],
		["a list in a list", [[file("nested.txt", "x")]], "with takes files"],
		["bytes alone", PNG, "with takes files"],
		["data without a type", { data: PNG }, "with takes files"],
		["data that is none", { data: 5, mediaType: "image/png" }, "with takes files"],
		["empty data", { data: new Uint8Array(), mediaType: "text/plain" }, '"text/plain" is empty'],
		["empty base64", { data: "", mediaType: "image/png", filename: "a.png" }, "is empty"],
		["text in the place of base64", { data: "a,b\n1,2", mediaType: "text/csv" }, "base64"],
		...(isRoot ? [] : [["a file that may not be read", secret, "EACCES"] as [string, unknown, string]]),
	])("is named, and the run leaves no trace: %s", async (_, given, message) => {
		const model = new ScriptedModel(["fine"]);
		const robot = new Robot({ name: "bob", model });
		const events: StreamEvent[] = [];
		robot.on("event", (event) => events.push(event));
		const good = file("good.txt", "good");
		const failure: unknown = await robot
			.run("x", { with: Array.isArray(given) ? given : ([good, given] as never) })
			.catch((error: unknown) => error);
		expect(ConfigurationError.isInstance(failure)).toBe(true);
		expect((failure as Error).message).toContain(message);
		// what is no attachment is seen before the run begins
		if (/with takes files|Did you mean|must be a text/.test(message)) expect(events).toEqual([]);
		else {
			assertWholeLog(events);
			expect(events.at(-2)).toMatchObject({ event: "run.failed", data: { error: { code: "configuration" } } });
		}
		expect([model.calls, robot.messages]).toEqual([[], []]);
		expect((await robot.run("y")).lastTextContent).toBe("fine");
		expect(model.calls[0]?.prompt).toHaveLength(1);
	});

	it("says so where the run is watched: the iteration and the result", async () => {
		const stream = new Robot({ name: "bob", model: new ScriptedModel([]) }).stream("x", { with: join(directory, "missing") });
		const events: StreamEvent[] = [];
		const read = (async () => {
			for await (const event of stream) events.push(event);
		})();
		await expect(read).rejects.toThrow("Cannot attach");
		await expect(stream.result).rejects.toThrow("Cannot attach");
		assertWholeLog(events);
	});
});
