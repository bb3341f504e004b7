import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Robot } from "../../src/robot/robot.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { runTool } from "../../src/tool/run-tool.js";
import type { Tool } from "../../src/tool/tool.js";
import { expectValidHistory } from "../robot/valid-history.js";

const unhandled: unknown[] = [];
const note = (error: unknown): unknown => unhandled.push(error);
beforeAll(() => void process.on("unhandledRejection", note));
afterAll(() => void process.off("unhandledRejection", note));

/** A tool by its shape alone, as programs without types make them. */
const shaped = (members: object): Tool =>
	Object.defineProperties(
		{
			name: "probe",
			description: "Probes.",
			parameters: { type: "object" },
			validate: (value: unknown) => ({ ok: true, value }),
			execute: () => 1,
		},
		Object.getOwnPropertyDescriptors(members),
	) as unknown as Tool;

const failing = (key: string): object =>
	Object.defineProperty({}, key, {
		enumerable: true,
		get: () => {
			throw new Error(`no ${key} today`);
		},
	});
const revoked = (): object => {
	const { proxy, revoke } = Proxy.revocable({}, {});
	revoke();
	return proxy;
};
const answering = (outcome: unknown): object => ({ call: () => outcome });

const noCheck = "its validate() answered with something that is no check: { ok: true, value } or { ok: false, message }";
const noOutcome = "its call() answered with something that is no outcome: { text, isError }";

describe("A tool that was not made by createTool", () => {
	it.each<[string, object, string]>([
		["checks with nothing", { validate: () => undefined }, noCheck],
		["checks with a text", { validate: () => "fine" }, noCheck],
		["checks with a word in place of a yes", { validate: () => ({ ok: "yes", value: {} }) }, noCheck],
		["checks later with nothing", { validate: () => Promise.resolve(null) }, noCheck],
		["has a check that throws when it is read", { validate: () => failing("ok") }, "no ok today"],
		["has a check that is a revoked proxy", { validate: revoked }, "revoked"],
		["throws nothing while it checks", { validate: () => Promise.reject(undefined) }, "it failed without saying why"],
		["throws when its call is read", failing("call"), "no call today"],
		["throws when its deadline is read", failing("timeoutMs"), "no timeoutMs today"],
		["has a deadline that is no number", { timeoutMs: 1n }, "BigInt"],
		["throws when its limit is read", failing("maxResultBytes"), "no maxResultBytes today"],
		["has a call that is none", { call: 5 }, "is not a function"],
		["answers with nothing", answering(undefined), noOutcome],
		["answers with a revoked proxy", answering(revoked()), "revoked"],
		["answers with a script that is none", answering({ text: "said", isError: true, script: 5 }), "said"],
		["answers with a refusal that is none", answering({ text: "said", isError: true, script: { refusal: null } }), "said"],
		["answers with a script that throws when it is read", answering({ text: "said", isError: true, script: failing("refusal") }), "said"],
	])("fails for the model alone, and its call has a result: one that %s", async (_, members, message) => {
		const model = new ScriptedModel([{ toolCalls: [{ name: "probe" }] }, "Done.", "Going on."]);
		const robot = new Robot({ name: "bob", model, localTools: [shaped(members)] });
		const events: StreamEvent[] = [];
		robot.on("event", (event) => events.push(event));
		const { toolCalls, lastTextContent } = await robot.run("Do it.", { signal: new AbortController().signal });
		expect(toolCalls).toMatchObject([{ isError: true, content: expect.stringContaining(message) }]);
		expect(lastTextContent).toBe("Done.");
		await robot.run("And now?");
		expectValidHistory(model.calls[2]?.prompt ?? []);
		assertWholeLog(events.slice(0, events.findIndex(({ event }) => event === "stream.ended") + 1));
		expect(await runTool(shaped(members))).toMatchObject({ isError: true, text: expect.stringContaining(message) });
		await new Promise(setImmediate);
		expect(unhandled).toEqual([]);
	});
});
