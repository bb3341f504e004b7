import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { BusMember, MessageBus } from "../../src/bus/message-bus.js";
import type { RobotMessage } from "../../src/bus/robot-message.js";
import type { SentMessage } from "../../src/bus/sent-message.js";
import type { Json } from "../../src/json/json-values.js";

const schema = (validate: (value: unknown) => unknown) => ({ "~standard": { version: 1 as const, vendor: "test", validate } }) as never;

describe("A channel with a schema", () => {
	it("delivers what the schema makes of the content, whichever library it is of", async () => {
		const bus = new MessageBus({
			channels: {
				zod: z.object({ score: z.number(), note: z.string().default("none") }),
				valibot: v.pipe(v.string(), v.trim()),
				arktype: type({ name: "string" }),
				later: z
					.string()
					.refine(async () => true)
					.transform(async (text) => text.length),
			},
		});
		const got: unknown[] = [];
		for (const name of ["zod", "valibot", "arktype", "later"]) bus.join(name).onMessage(({ content }) => void got.push(content));
		const alice = bus.join("alice");
		await alice.sendMessage({ to: "zod", content: { score: 1 } });
		await alice.sendMessage({ to: "valibot", content: "  x " });
		await alice.sendMessage({ to: "arktype", content: { name: "n" } });
		const later = await alice.sendMessage({ to: "later", content: "four" });
		await bus.idle();
		expect(got).toEqual([{ score: 1, note: "none" }, "x", { name: "n" }, 4]);
		expect(later.message.content).toBe(4);
	});

	it("refuses what the schema refuses, says why, and delivers nothing", async () => {
		const bus = new MessageBus({
			channels: {
				zod: z.object({ a: z.array(z.number()) }),
				arktype: type({ name: "string" }),
				later: z.string().refine(async () => false, "never"),
			},
		});
		for (const name of ["zod", "arktype", "later"]) bus.join(name).onMessage(() => {});
		const alice = bus.join("alice");
		await expect(alice.sendMessage({ to: "zod", content: { a: [1, "x"] } as never })).rejects.toMatchObject({
			code: "invalid_content",
			message: expect.stringMatching(/^Cannot send to "zod": .*a\.1: /),
		});
		await expect(alice.sendMessage({ to: "arktype", content: {} as never })).rejects.toMatchObject({ code: "invalid_content" });
		await expect(alice.sendMessage({ to: "later", content: "x" })).rejects.toThrow("never");
		await bus.idle();
		expect(alice.outbox).toEqual([]);
	});

	it("refuses when the schema throws, rejects, or answers with what is no result", async () => {
		const bad = {
			throws: schema(() => {
				throw new Error("broken");
			}),
			rejects: schema(() => Promise.reject(new Error("broken"))),
			nothing: schema(() => undefined),
			empty: schema(() => ({})),
			junk: schema(() => ({ issues: [null, { message: 1 }, { message: "m", path: [{ key: "k" }, Symbol("s")] }] })),
			functions: schema(() => ({ value: () => {} })),
		};
		const bus = new MessageBus({ channels: bad });
		const alice = bus.join("alice");
		for (const to of Object.keys(bad)) {
			bus.join(to).onMessage(() => {});
			await expect(alice.sendMessage({ to, content: 1 })).rejects.toMatchObject({
				code: to === "functions" ? "configuration" : "invalid_content",
				message: expect.stringContaining(`Cannot send to "${to}"`),
			});
		}
		await bus.idle();
	});

	it("checks answers, too: one that the asker's channel does not take fails its handler", async () => {
		const bus = new MessageBus({ channels: { alice: z.string().refine(async (text) => text !== "bad") } });
		const alice = bus.join("alice");
		bus.join("bob").respondToTasks(({ content }) => content);
		expect((await (await alice.sendMessage({ to: "bob", content: "good" })).reply()).content).toBe("good");
		bus.join("async").respondToTasks(async ({ content }) => content);
		for (const to of ["bob", "async"]) {
			const sent = await alice.sendMessage({ to, content: "bad" });
			expect(await sent.settled()).toMatchObject([{ reason: "failed", error: { code: "invalid_content" } }]);
		}
		await bus.idle();
	});

	it("is not idle while content is checked", async () => {
		const bus = new MessageBus({
			channels: { bob: z.string().refine(() => new Promise<boolean>((resolve) => setImmediate(resolve, true))) },
		});
		const got: unknown[] = [];
		bus.join("bob").onMessage(({ content }) => void got.push(content));
		void bus.join("alice").sendMessage({ to: "bob", content: "x" });
		await bus.idle();
		expect(got).toEqual(["x"]);
	});

	it("may be closed while content is checked", async () => {
		const bus = new MessageBus({ channels: { bob: z.string().refine(async () => true) } });
		bus.join("bob").respondToTasks(() => "x");
		const sending = bus.join("alice").sendMessage({ to: "bob", content: "x" });
		await bus.close();
		await expect(sending).rejects.toMatchObject({ code: "closed" });
		await bus.idle();
	});
});

describe("The types of a bus", () => {
	const channels = { critic: z.object({ text: z.string(), score: z.string().transform(Number) }), writer: z.enum(["a", "b"]) };
	const bus = new MessageBus({ channels });

	it("know what is received below a name, and what answers to it hold", () => {
		const critic = bus.join("critic");
		expectTypeOf(critic).toEqualTypeOf<BusMember<typeof channels, "critic">>();
		const check = (): void => {
			critic.onMessage((message) => expectTypeOf(message.content).toEqualTypeOf<{ text: string; score: number }>());
			critic.respondToTasks((message) => expectTypeOf(message).toEqualTypeOf<RobotMessage<{ text: string; score: number }>>());
			bus.join("else").onMessage((message) => expectTypeOf(message.content).toEqualTypeOf<Json>());
			bus.join("x" as string).onMessage((message) => expectTypeOf(message.content).toEqualTypeOf<Json>());
		};
		expectTypeOf(check).toBeFunction();
		const send = () => bus.join("writer").sendMessage({ to: "critic", content: { text: "t", score: "1" } });
		expectTypeOf<Awaited<ReturnType<typeof send>>>().toEqualTypeOf<SentMessage<"a" | "b">>();
	});

	it("know what can be sent to a name", () => {
		const alice = bus.join("alice");
		const check = (): unknown => [
			alice.sendMessage({ to: "writer", content: "a" }),
			alice.sendMessage({ to: "anybody", content: { any: ["thing"] } }),
			alice.sendMessage({ to: "x" as string, content: new Date() }),
			// @ts-expect-error: the schema takes a text for the score
			alice.sendMessage({ to: "critic", content: { text: "t", score: 1 } }),
			// @ts-expect-error: none of the words
			alice.sendReply({ to: "writer", content: "c", inReplyTo: "x" }),
			// @ts-expect-error: an answer says to what
			alice.sendReply({ to: "writer", content: "a" }),
			// @ts-expect-error: a mistyped option
			alice.sendMessage({ to: "writer", content: "a", singal: undefined }),
			// @ts-expect-error: no schema
			new MessageBus({ channels: { a: { type: "string" } } }),
		];
		expectTypeOf(check).toBeFunction();
	});

	it("let a member of no bus in particular join any", () => {
		const member = new BusMember("critic");
		expectTypeOf(member.withBus(bus)).toEqualTypeOf(member);
		member.onMessage((message) => expectTypeOf(message.content).toEqualTypeOf<Json>());
		expectTypeOf(new BusMember("writer", bus)).toEqualTypeOf<BusMember<typeof channels, "writer">>();
	});
});
