import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { approveScript } from "../../src/approval/approve-script.js";
import { createSkillLock } from "../../src/approval/skill-lock.js";
import { withApproval } from "../../src/approval/with-approval.js";
import { Capabilities } from "../../src/capability/capabilities.js";
import { ScriptTool } from "../../src/script/script-tool.js";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import { EventLog } from "../../src/stream/event-log.js";
import { runTool } from "../../src/tool/run-tool.js";
import { temporaryBundle } from "../script/bundle.js";
import { answering, greeting, run } from "./bundle.js";

const NOT_RUN = /^Error \(not run: not_approved\): .*Nothing was run\.$/;
const words = (bundle: string): string => join(bundle, "scripts/lib/words.sh");

/** An executor that runs scripts as core does, and says of itself that it confines them. */
function confining(): Disposable {
	return ScriptTool.replaceExecutor({ specificationVersion: "v1", name: "pretends", confines: () => true, run: pretend });
}
const pretend = async (command: readonly string[]) =>
	({ output: `ran ${command.length}`, exitCode: 0, timedOut: false }) as Awaited<ReturnType<typeof ScriptTool.run>>;

describe("withApproval", () => {
	it("asks before the first script of a bundle, says what is to run and why, and once is until anything changes", async () => {
		const bundle = greeting();
		const { approve, asked } = answering("once");
		expect(await run(bundle, { approve }, { args: ["world"] })).toBe("hello world\n");
		expect(await run(bundle, { approve }, { args: ["you"] })).toBe("hello you\n");
		expect(asked).toMatchObject([
			{
				skill: "greet",
				path: bundle,
				tool: "greet",
				input: { args: ["world"] },
				reason: "first_run",
				confined: false,
				changes: { added: [], removed: [], changed: [] },
			},
		]);
		expect(asked[0]?.declared.fsRead).toEqual(["."]);
		expect(asked[0]?.grant.fsRead).toEqual([process.cwd()]);
		expect(asked.map((each) => Object.isFrozen(each) && Object.isFrozen((each.input as { args: unknown }).args))).toEqual([true]);
	});

	it("asks again for a changed library, an added and a removed file, by their names, with the digest that would be approved", async () => {
		const bundle = greeting();
		const { approve, asked } = answering("once");
		await run(bundle, { approve });
		writeFileSync(words(bundle), "WORD=gotcha\n");
		writeFileSync(join(bundle, "scripts/lib/json.py"), "");
		rmSync(join(bundle, "SKILL.md"));
		writeFileSync(join(bundle, "SKILL.md"), "---\nname: greet\ndescription: Greets.\nnetwork: true\n---\n");
		expect(await run(bundle, { approve })).toBe("gotcha \n");
		expect(asked[1]).toMatchObject({
			reason: "files_changed",
			changes: { added: ["scripts/lib/json.py"], changed: ["SKILL.md", "scripts/lib/words.sh"], removed: [] },
		});
		rmSync(join(bundle, "scripts/lib/json.py"));
		await run(bundle, { approve });
		expect(asked[2]?.changes).toEqual({ added: [], changed: [], removed: ["scripts/lib/json.py"] });
		expect(new Set(asked.map(({ digest }) => digest)).size).toBe(3);
	});

	it("runs nothing when it is denied, and asks again at the next call", async () => {
		const bundle = greeting({ "scripts/greet.sh": '#!/bin/sh\ntouch "$SKILL_DIR/ran"\n' });
		const { approve, asked } = answering("deny", { deny: "not on a Friday" }, "once");
		expect(await run(bundle, { approve })).toMatch(
			/^Error \(not run: not_approved\): The skill "greet" was not approved: the person who was asked said no\. Do without it\. Nothing was run\.$/,
		);
		expect(await run(bundle, { approve })).toMatch(/not approved: not on a Friday\. Nothing was run\.$/);
		expect(existsSync(join(bundle, "ran"))).toBe(false);
		expect(await run(bundle, { approve })).toBe("");
		expect(existsSync(join(bundle, "ran"))).toBe(true);
		expect(asked).toHaveLength(3);
	});

	it("takes what throws, and every answer that is none, for no", async () => {
		const bundle = greeting();
		const throwing = (error: unknown) => () => {
			throw error;
		};
		for (const answer of [
			throwing(new Error("no window")),
			throwing(undefined),
			() => true,
			() => "yes",
			() => "ALWAYS",
			() => undefined,
			() => ({ deny: true }),
			() =>
				new Proxy(
					{},
					{
						get: () => {
							throw new Error("trap");
						},
					},
				),
			() => ["once"],
		]) {
			expect(await run(bundle, answering(answer as () => unknown))).toMatch(NOT_RUN);
		}
		expect(await run(bundle, answering(throwing(new Error("no window"))))).toContain("who was asked failed: no window.");
		expect(
			await run(
				bundle,
				answering(() => "yes"),
			),
		).toContain('answered "yes", which is none of once, always and deny');
	});

	it("reads the bundle again once it is answered: what was changed meanwhile is asked about, and not for ever", async () => {
		const bundle = greeting();
		let changes = 0;
		const swap = (limit: number) => (): string => {
			if (changes < limit) writeFileSync(words(bundle), `WORD=swapped-${++changes}\n`);
			return "always";
		};
		const store = join(temporaryBundle(), "store");
		const once = answering(swap(1));
		expect(await run(bundle, { ...once, store })).toBe("swapped-1 \n");
		expect(once.asked.map(({ reason, changes: { changed } }) => [reason, ...changed])).toEqual([
			["first_run"],
			["files_changed", "scripts/lib/words.sh"],
		]);
		changes = 0;
		const endless = answering(swap(Number.POSITIVE_INFINITY));
		expect(await run(greeting(), endless)).toBe("hello \n");
		rmSync(store, { recursive: true });
		expect(await run(bundle, { ...endless, store })).toMatch(/changed again and again.*Nothing was run\.$/);
		expect(endless.asked).toHaveLength(1 + 3);
	});

	it("asks once for calls of one bundle at the same time, and apart for another bundle", async () => {
		const [one, other] = [greeting(), greeting({ "other.md": "" })];
		let answer: (text: "once") => void = () => {};
		const { approve, asked } = answering(
			() =>
				new Promise((resolve) => {
					answer = resolve;
				}),
			"deny",
		);
		const calls = [run(one, { approve }, { args: ["a"] }), run(one, { approve }, { args: ["b"] }), run(one, { approve }, { args: ["c"] })];
		await until(() => asked.length === 1);
		expect(await run(other, { approve })).toMatch(NOT_RUN);
		answer("once");
		expect(await Promise.all(calls)).toEqual(["hello a\n", "hello b\n", "hello c\n"]);
		expect(asked.map(({ path }) => path)).toEqual([one, other]);
	});

	it("calls a question off when the last run that waits for it is aborted, and asks anew for the next", async () => {
		const bundle = greeting();
		const [first, second] = [new AbortController(), new AbortController()];
		const asked: AbortSignal[] = [];
		const late: (() => void)[] = [];
		const approve = (_: unknown, { signal }: { signal: AbortSignal }): Promise<"always"> => {
			asked.push(signal);
			// does not heed the signal, and answers when nobody waits any more
			return new Promise((resolve) => signal.addEventListener("abort", () => late.push(() => resolve("always"))));
		};
		let waiting = 0;
		const call = ({ signal }: AbortController): Promise<string> => {
			const log = new EventLog();
			log.subscribe(({ event }) => (waiting += event === "hitl.requested" ? 1 : 0));
			return run(bundle, { approve }, { signal, log });
		};
		const calls = [first, second].map(call);
		await until(() => waiting === 2);
		expect(asked).toHaveLength(1);
		first.abort();
		expect(await calls[0]).toMatch(/^Error \(aborted\):/);
		expect(asked[0]?.aborted).toBe(false);
		second.abort();
		expect(await calls[1]).toMatch(/^Error \(aborted\):/);
		expect(asked[0]?.aborted).toBe(true);
		const third = new AbortController();
		const again = [call(third)];
		await until(() => asked.length === 2);
		// the late answer to the first question does not close this one
		late[0]?.();
		await new Promise((resolve) => setImmediate(resolve));
		again.push(call(third));
		await until(() => waiting === 4);
		third.abort();
		expect(await Promise.all(again)).toEqual([expect.stringMatching(/^Error \(aborted\):/), expect.stringMatching(/^Error \(aborted\):/)]);
		// by who reads of it in the log, before it is put
		const fourth = new AbortController();
		const log = new EventLog();
		log.subscribe(({ event }) => event === "hitl.requested" && fourth.abort());
		expect(await run(bundle, { approve }, { signal: fourth.signal, log })).toMatch(/^Error \(aborted\):/);
		expect(asked).toHaveLength(2);
	});

	it("keeps what one function was answered from another, and does not ask about bundles that the host trusts", async () => {
		const bundle = greeting();
		await run(bundle, answering("once"));
		expect(await run(bundle, answering("deny"))).toMatch(NOT_RUN);
		const { approve, asked } = answering("deny");
		const core = { name: "greet", path: "/nowhere", capabilities: new Capabilities({ trust: "core" }) };
		expect(await approveScript(core, { tool: "greet", input: {} }, { approve })).toEqual({ directory: "/nowhere" });
		expect(asked).toEqual([]);
	});

	it("asks about another skill of the same files", async () => {
		const bundle = greeting();
		const { approve, asked } = answering("once");
		await run(bundle, { approve });
		await approveScript({ name: "other", path: bundle, capabilities: new Capabilities() }, { tool: "greet", input: {} }, { approve });
		expect(asked.map(({ skill }) => skill)).toEqual(["greet", "other"]);
	});

	it("asks again for a wider grant, and not for a narrower one", async () => {
		const bundle = greeting();
		const { approve, asked } = answering("once");
		const capabilities = new Capabilities({ fsRead: ["."] });
		const check = (fsRead: string, network = false) =>
			approveScript(
				{ name: "greet", path: bundle, capabilities: granting({ fsRead, network, capabilities }) },
				{ tool: "greet", input: {} },
				{ approve, store: "/nowhere" },
			);
		using _ = confining();
		await check("/work/a");
		await check("/work/a/below");
		expect(asked.map(({ reason }) => reason)).toEqual(["first_run"]);
		await check("/work/ab");
		await check("/work/a", true);
		expect(asked.map(({ reason }) => reason)).toEqual(["first_run", "wider_grant", "wider_grant"]);
		// each was approved by itself, and not their sum
		await check("/work/ab");
		await check("/work/a");
		await check("/work/ab", true);
		expect(asked).toHaveLength(4);
	});

	it("asks again when what was approved confined would run unconfined, and not the other way round", async () => {
		const { approve, asked } = answering("once");
		const [one, other] = [greeting(), greeting()];
		const confined = confining();
		await run(one, { approve });
		confined[Symbol.dispose]();
		await run(one, { approve });
		expect(asked.map(({ confined: is, reason }) => [is, reason])).toEqual([
			[true, "first_run"],
			[false, "wider_grant"],
		]);
		await run(other, { approve });
		using _ = confining();
		await run(other, { approve });
		expect(asked).toHaveLength(3);
	});

	it("asks about a bundle that was moved, or is reached through a link that leads elsewhere now", async () => {
		const store = join(temporaryBundle(), "store");
		const { approve, asked } = answering("always");
		const place = temporaryBundle();
		const link = join(place, "greet");
		const evil = greeting({ "scripts/lib/words.sh": "WORD=evil\n" });
		const first = greeting();
		symlinkSync(first, link);
		await run(link, { approve, store });
		await run(first, { approve, store });
		expect(asked).toHaveLength(1);
		rmSync(link);
		symlinkSync(evil, link);
		expect(await run(link, { ...answering("deny"), store })).toMatch(NOT_RUN);
		renameSync(first, join(place, "moved"));
		await run(join(place, "moved"), { approve, store });
		expect(asked.map(({ path }) => path)).toEqual([first, join(place, "moved")]);
		mkdirSync(first);
	});

	it("refuses a bundle that a digest cannot stand for, without a question", async () => {
		const bundle = greeting();
		symlinkSync("/etc", join(bundle, "scripts/lib/etc"));
		const { approve, asked } = answering("always");
		expect(await run(bundle, { approve })).toMatch(
			/^Error \(not run: not_approved\): The skill in ".*" cannot be approved or locked: "scripts\/lib\/etc": it is a link/,
		);
		expect(asked).toEqual([]);
	});

	it("lets a lock deny what is or would be approved, and a lock alone decides by itself", async () => {
		const bundle = greeting();
		const { approve, asked } = answering("once");
		const lock = await createSkillLock([{ name: "greet", path: bundle }]);
		expect(await run(bundle, { lock })).toBe("hello \n");
		await run(bundle, { approve, lock });
		writeFileSync(words(bundle), "WORD=other\n");
		expect(await run(bundle, { approve })).toBe("other \n");
		for (const options of [{ lock }, { approve, lock }])
			expect(await run(bundle, options)).toMatch(
				/The skill "greet" is not what the lock says: changed "scripts\/lib\/words\.sh"\. .*Nothing was run\.$/,
			);
		expect(await run(greeting(), { lock: await createSkillLock([]) })).toMatch(/is not in the lock/);
		expect(asked).toHaveLength(2);
		const denied = answering("deny");
		expect(await run(bundle, { ...denied, lock: await createSkillLock([{ name: "greet", path: bundle }]) })).toMatch(NOT_RUN);
		expect(denied.asked).toHaveLength(1);
	});

	it("tells the log of each run that waits that somebody is asked, what came of it, and why nothing ran", async () => {
		const bundle = greeting();
		const skill = await AgentSkill.load(join(bundle, "SKILL.md"));
		const log = new EventLog();
		const { approve } = answering("deny");
		const [tool] = withApproval(await skill.scriptTools(), skill, { approve });
		await runTool(tool as NonNullable<typeof tool>, { args: ["x"] }, { log });
		const events = log.after(0).map(({ event, data }) => [event, data] as const);
		expect(events.find(([event]) => event === "hitl.requested")?.[1]).toMatchObject({
			toolCalls: [
				{
					toolName: "greet",
					toolInput: { approve: { skill: "greet", path: bundle, confined: false, reason: "first_run" }, input: { args: ["x"] } },
				},
			],
		});
		expect(events.find(([event]) => event === "hitl.resolved")?.[1]).toMatchObject({ resolution: "denied" });
		expect(events.find(([event]) => event === "metadata.updated")?.[1]).toMatchObject({
			lifecycle: { reason: "command_failed", detail: { refusal: { code: "not_approved" } } },
		});
		expect(events.find(([event]) => event === "part.failed")?.[1]).toMatchObject({ error: { code: "not_approved" } });
	});

	it("keeps the tool's other facts, and asks whichever way a tool is called", async () => {
		const skill = await AgentSkill.load(join(greeting(), "SKILL.md"));
		const tools = await skill.scriptTools();
		const wrapped = withApproval(tools, skill, { approve: async () => "deny" });
		expect(wrapped.map(({ name, description, parameters, validate }) => ({ name, description, parameters, validate }))).toEqual(
			tools.map(({ name, description, parameters, validate }) => ({ name, description, parameters, validate })),
		);
		expect(await wrapped[0]?.execute({}, {})).toMatch(NOT_RUN);
		expect(await wrapped[0]?.call?.({}, {})).toMatchObject({
			isError: true,
			script: { exitCode: null, refusal: { code: "not_approved" } },
		});
	});

	it("takes no options that decide nothing or are none", async () => {
		const skill = await AgentSkill.load(join(greeting(), "SKILL.md"));
		const refusals = [
			{},
			{ approve: true },
			{ lock: "skills-lock.json" },
			{ lock: {} },
			{ approve: () => "once", store: "" },
			{ aprove: () => "once" },
			null,
		];
		for (const options of refusals)
			expect(() => withApproval([], skill, options as never)).toThrow(expect.objectContaining({ code: "configuration" }));
	});
});

/** Capabilities whose grant is this, wherever the tests run. */
function granting({ fsRead, network, capabilities }: { fsRead: string; network: boolean; capabilities: Capabilities }): Capabilities {
	const grant = { fsRead: [fsRead], fsWrite: [], network };
	return new Proxy(capabilities, { get: (target, key) => (key === "intersect" ? () => grant : Reflect.get(target, key)) });
}

async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
