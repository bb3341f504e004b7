import { expect, it, vi } from "vitest";
import type { Resync } from "../../src/transport/event-frames.js";
import { publishedRun } from "./published-run.js";
import { connect, type Message, SseParser } from "./sse-client.js";
import { sseServer } from "./sse-server.js";

it("serveEvents takes a snapshot that is a promise for none: it leaves it out, warns once, and a rejection ends nothing", async () => {
	const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
	const rejections: unknown[] = [];
	const note = (reason: unknown): unknown => rejections.push(reason);
	process.on("unhandledRejection", note);
	const run = publishedRun({ history: 2 });
	for (const delta of "abcd") run.text(delta, delta);
	run.end();
	for (const snapshot of [async () => ({ state: "all" }), async () => Promise.reject(new Error("late"))]) {
		await using server = await sseServer(run.log, { snapshot });
		const messages: Message[] = [];
		await connect(server.url, new SseParser((message) => messages.push(message)));
		expect(messages.map(({ id, type }) => [id, type])).toEqual([
			["3", "resync"],
			["4", "message"],
			["5", "message"],
		]);
		const resync: Resync = JSON.parse(messages[0]?.data ?? "");
		expect(resync).toEqual({ after: 0, first: 4, last: 5 });
	}
	await new Promise((resolve) => setImmediate(resolve));
	process.off("unhandledRejection", note);
	expect(rejections).toEqual([]);
	expect(warn.mock.calls).toEqual([[expect.stringMatching(/promise.*synchronous/), { code: "ROBOT_LAB_SNAPSHOT_FAILED" }]]);
	warn.mockRestore();
});
