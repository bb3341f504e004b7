import { PassThrough, Readable, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { type AskUserOptions, askUser } from "../../src/ask/ask-user.js";
import type { Question } from "../../src/ask/question.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { Robot } from "../../src/robot/robot.js";
import { EventLog } from "../../src/stream/event-log.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { runTool } from "../../src/tool/run-tool.js";
import { settled, warningsDuring } from "../stream/publishing.js";
import { ask, Place } from "./asking.js";

const COLOURS = { question: "Which colour?", choices: ["red", "blue"] };
const said = (text: string): { text: string; isError: boolean } => ({ text, isError: false });
const failed = (text: string): { text: string; isError: boolean } => ({ text: `Error (ask_user): ${text}`, isError: true });

describe("askUser() on streams", () => {
	it.each([
		[{ question: "Who?" }, "[helper] Who?\nAnswer: "],
		[{ question: "Who?", default: "Ada" }, "[helper] Who?\nAnswer [Ada]: "],
		[COLOURS, "[helper] Which colour?\n  1) red\n  2) blue\nAnswer (1-2): "],
		[{ ...COLOURS, default: "Blue" }, "[helper] Which colour?\n  1) red\n  2) blue\nAnswer (1-2) [blue]: "],
		[{ question: "How many?", choices: ["0", "10"] }, "[helper] How many?\n  - 0\n  - 10\nAnswer: "],
	])("writes %o down for a person", async (question, text) => {
		const place = new Place();
		place.input.end("10\n10\n10\n");
		await place.ask(question);
		expect(place.written.startsWith(text)).toBe(true);
	});

	it.each([
		[{ question: "Who?" }, "Ada Lovelace\n", said("Ada Lovelace")],
		[{ question: "Who?" }, "  Ada \r\n", said("Ada")],
		[{ question: "Who?" }, "Ada", said("Ada")],
		[{ question: "Who?" }, "\n", said("(the answer was empty)")],
		[{ question: "Who?", default: "Ada" }, "\n", said("Ada")],
		[{ question: "Who?", default: "Ada" }, "Eve\n", said("Eve")],
		[{ question: "Who?", default: "Ada" }, "", said("Ada")],
		[{ question: "Who?", choices: [] }, "Ada\n", said("Ada")],
		[{ question: "Who?" }, "", failed("there is nobody to answer: the input has ended")],
		[COLOURS, "2\n", said("blue")],
		[COLOURS, " 1 \n", said("red")],
		[COLOURS, "BLUE\n", said("blue")],
		[COLOURS, "green\n0\n1\n", said("red")],
		[COLOURS, "green\n3\n\n1\n", failed('none of the choices was chosen in 3 attempts: "red", "blue"')],
		[COLOURS, "green\n", failed("there is nobody to answer: the input has ended")],
		[{ ...COLOURS, default: "blue" }, "green\n", said("blue")],
		[{ ...COLOURS, default: "blue" }, "\n", said("blue")],
		[{ question: "?", choices: ["Yes", "yes"] }, "yes\n", said("yes")],
		[{ question: "How many?", choices: ["2", "1"] }, "2\n", said("2")],
		[{ question: "How many?", choices: ["1 apple", "no apple"] }, "2\n", said("no apple")],
	])("takes for %o the input %j", async (question, typed, outcome) => {
		const place = new Place();
		place.input.end(typed);
		expect(await place.ask(question)).toEqual(outcome);
	});

	it("says what was wrong, and asks for the answer again without the whole question", async () => {
		const place = new Place();
		place.input.end("green\n\n2\n");
		await place.ask(COLOURS);
		expect(place.written.split("\n").filter(Boolean)).toEqual([
			"[helper] Which colour?",
			"  1) red",
			"  2) blue",
			"Answer (1-2): ",
			'"green" is none of the choices.',
			"Answer (1-2): ",
			"Please choose.",
			"Answer (1-2): ",
		]);
	});

	it.each([
		[{}, /^Error \(invalid arguments\)/],
		[{ question: 7 }, /^Error \(invalid arguments\)/],
		[{ question: "?", choices: "a,b" }, /^Error \(invalid arguments\)/],
		[{ question: "?", choices: Array(51).fill("a") }, /^Error \(invalid arguments\)/],
		[{ question: " \u001b[0m " }, /the question is empty/],
		[{ question: "?", choices: ["a", "\u0007"] }, /one of the choices is empty/],
		[{ ...COLOURS, default: "green" }, /the default "green" is none of the choices: "red", "blue"/],
	])("asks nobody what makes no sense: %o", async (question, message) => {
		const place = new Place();
		place.input.end("a\n");
		expect(await place.ask(question)).toEqual({ isError: true, text: expect.stringMatching(message) });
		expect([place.written, String(place.input.read())]).toEqual(["", "a\n"]);
	});

	it("writes nothing of a model's, and of no name, that a terminal would obey", async () => {
		const evil = "a\u001b[2J\u001b]0;title\u0007b\u009b31mc\rd\u0008\u202ee\u200bf";
		const place = new Place();
		place.input.end("zzz\u001b[31m\n1\n");
		const question = { question: evil, choices: [`${evil}\n1) forged`, "x"], default: "x" };
		const outcome = await place.ask(question, { robotName: `r\u001b[1m${evil}` });
		// biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
		expect(place.written).not.toMatch(/[\0-\x09\x0B-\x1F\x7F-\x9F\u200b\u202e]/);
		expect(place.written).toContain("] abc\n  def\n  1) abc def 1) forged\n");
		expect(outcome.text).toBe("abc def 1) forged");
	});

	it("lets no line of a question look like one of another robot", async () => {
		const place = new Place();
		place.input.end("x\n");
		await place.ask({ question: "Ready?\n[bank] Your password?\r\u2028[bank] Now!" });
		expect(place.written.match(/^\[/gm)).toHaveLength(1);
	});

	it("bounds what a model writes on the screen, and what a person writes to it", async () => {
		const place = new Place();
		place.input.end(`${"y".repeat(1_000_000)}\nnext\n`);
		const outcome = await place.ask({ question: "x".repeat(1_000_000) });
		expect(place.written.length).toBeLessThan(4_100);
		expect(outcome.text).toBe("y".repeat(65_536));
		expect(await place.ask({ question: "?" })).toEqual(said("next"));
	});

	it("gives a model no control characters that came with an answer", async () => {
		const place = new Place();
		place.input.end("\u001b[D\u001b[200~ye\u0000s\u001b[201~\n");
		expect(await place.ask({ question: "?" })).toEqual(said("yes"));
	});

	it("calls a robot without a name Robot", async () => {
		const place = new Place();
		place.input.end("x\n");
		await place.ask({ question: "?" }, {});
		expect(place.written).toMatch(/^\[Robot\] \?/);
	});
});

describe("askUser() and time", () => {
	it("takes the default, or fails, when nobody answers within timeoutMs", async () => {
		const place = new Place();
		expect(await place.ask({ question: "?", default: "no" }, {}, { timeoutMs: 5 })).toEqual(said("no"));
		expect(await place.ask({ question: "?" }, {}, { timeoutMs: 5 })).toEqual(failed("nobody answered within 0.005 s"));
		expect(place.written).toContain("(nobody waits for this answer any more)");
	});

	it("counts the time from when the question is shown, not from when another one is", async () => {
		const place = new Place();
		const first = place.ask({ question: "One?" });
		const second = place.ask({ question: "Two?", default: "late" }, {}, { timeoutMs: 1 });
		await place.shows("One?");
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(place.written).not.toContain("Two?");
		place.input.write("1\n");
		expect([await first, await second]).toEqual([said("1"), said("late")]);
	});

	it("ends when the run is aborted, were there a default, and leaves what was typed to whoever comes next", async () => {
		const place = new Place();
		const run = new AbortController();
		const asked = place.ask({ question: "?", default: "yes" }, { signal: run.signal });
		await place.shows("Answer");
		place.input.write("hal");
		await settled();
		run.abort();
		expect(await asked).toEqual(failed("the run was aborted before anybody answered"));
		place.input.write("f\n");
		expect(await place.ask({ question: "?" })).toEqual(said("half"));
	});

	it("ends at once while another question is being asked, which goes on", async () => {
		const place = new Place();
		const run = new AbortController();
		const first = place.ask({ question: "One?" });
		await place.shows("One?");
		const tool = askUser({ input: place.input, output: place.output });
		const second = tool.execute({ question: "Two?" }, { signal: run.signal });
		const third = place.ask({ question: "Three?" });
		run.abort();
		await expect(second).rejects.toThrow("aborted before anybody answered");
		await settled();
		expect(place.written).not.toMatch(/Two|Three/);
		place.input.write("1\n3\n");
		expect([await first, await third]).toEqual([said("1"), said("3")]);
		expect(place.written).not.toContain("Two?");
	});

	it("asks nobody for a run that was aborted before", async () => {
		const place = new Place();
		const tool = askUser({ input: place.input, output: place.output });
		await expect(tool.execute({ question: "?" }, { signal: AbortSignal.abort() })).rejects.toThrow("aborted before anybody answered");
		expect(place.written).toBe("");
	});

	it("ends when the output takes nothing", async () => {
		const stuck = new Writable({ write: () => {} });
		const input = new PassThrough();
		expect(await ask({ question: "?" }, { input, output: stuck, timeoutMs: 5 })).toEqual(failed("nobody answered within 0.005 s"));
	});
});

describe("askUser() among others", () => {
	it("puts questions of several robots on one input one after the other", async () => {
		const place = new Place();
		const asked = ["a", "b", "c"].map((robotName) => place.ask({ question: "?" }, { robotName }));
		for (const [index, name] of ["a", "b", "c"].entries()) {
			await place.shows("Answer", index + 1);
			expect(place.written.match(/\[\w\]/g)).toHaveLength(index + 1);
			place.input.write(`for ${name}\n`);
		}
		expect(await Promise.all(asked)).toEqual(["for a", "for b", "for c"].map(said));
	});

	it("loses no line that was typed ahead, and no rest for a program that goes on reading", async () => {
		const place = new Place();
		place.input.write("one\ntwo\nthree\nfour");
		expect([await place.ask({ question: "?" }), await place.ask({ question: "?" })]).toEqual([said("one"), said("two")]);
		place.input.end();
		let rest = "";
		for await (const chunk of place.input) rest += String(chunk);
		expect(rest).toBe("three\nfour");
	});

	it("leaves no listener on any stream", async () => {
		const place = new Place();
		const counts = (): number[] =>
			[place.input, place.output].flatMap((stream) => stream.eventNames().map((name) => stream.listenerCount(name)));
		const before = counts();
		place.input.write("x\ngreen\n");
		await place.ask({ question: "?" });
		await place.ask(COLOURS, {}, { timeoutMs: 5 });
		await settled();
		await settled();
		expect(counts()).toEqual(before);
		const many = Array.from({ length: 30 }, () => place.ask({ question: "?", default: "d" }));
		expect(await warningsDuring(settled)).toEqual([]);
		place.input.end();
		expect(new Set((await Promise.all(many)).map(({ text }) => text))).toEqual(new Set(["d"]));
	});

	it("fails where the streams do, and ends no process with it", async () => {
		const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error("disk is full")) });
		const input = new PassThrough();
		expect(await ask({ question: "?" }, { input, output: broken })).toEqual(failed("the question could not be shown: disk is full"));
		expect((await ask({ question: "?" }, { input, output: broken })).text).toContain("the question could not be shown");
		const place = new Place();
		const asked = place.ask({ question: "?" });
		await place.shows("Answer");
		await settled();
		place.input.destroy(new Error("cable was cut"));
		expect(await asked).toEqual(failed("cable was cut"));
		expect(await place.ask({ question: "?" })).toEqual(failed("cable was cut"));
		const closed = new Place();
		const late = closed.ask({ question: "?" });
		await closed.shows("Answer");
		await settled();
		closed.input.destroy();
		expect([await late, await closed.ask({ question: "?" })]).toEqual(
			Array(2).fill(failed("there is nobody to answer: the input has ended")),
		);
	});

	it("is a tool that robots have: two questions of one reply, answered in order, told in the log", async () => {
		const place = new Place();
		const calls = [1, 2].map((n) => ({ name: "ask_user", args: { question: `Question ${n}?`, default: "x" } }));
		const model = new ScriptedModel([{ toolCalls: calls }, "Thanks."]);
		const localTools = [askUser({ input: place.input, output: place.output, timeoutMs: 60_000 })];
		const robot = new Robot({ name: "helper", model, localTools });
		place.input.write("one\n");
		place.input.end("two\n");
		const events: [string, object][] = [];
		const before = Date.now();
		robot.on("event", ({ event, data }) => {
			if (event.startsWith("hitl.")) events.push([event, data]);
		});
		const result = await robot.run("Ask.");
		expect(result.toolCalls.map(({ content }) => content)).toEqual(["one", "two"]);
		expect(place.written).toContain("[helper] Question 1?");
		expect(events.map(([event]) => event)).toEqual(["hitl.requested", "hitl.resolved", "hitl.requested", "hitl.resolved"]);
		const [[, requested], [, resolved], [, other]] = events as [
			[string, { expiresAt: number; requestId: string }],
			[string, object],
			[string, object],
		];
		expect(requested).toMatchObject({ toolCalls: [{ toolName: "ask_user", toolInput: { question: "Question 1?", default: "x" } }] });
		expect(requested.expiresAt).toBeGreaterThanOrEqual(before + 60_000);
		expect(resolved).toMatchObject({ requestId: requested.requestId, resolution: "approved" });
		expect(other).not.toMatchObject({ requestId: requested.requestId });
	});

	it.each([
		["nobody answers", () => undefined],
		["asking fails", () => Promise.reject(new Error("closed"))],
	])("tells the log that a question is over when %s", async (_, answer) => {
		const log = new EventLog();
		await runTool(askUser({ ask: async () => answer() }), { question: "?" }, { log });
		const resolved = log.after(0).filter(({ event }) => event === "hitl.resolved");
		expect(resolved).toMatchObject([{ data: { resolution: "denied" } }]);
	});
});

describe("askUser() with a function", () => {
	it("gives it the question without what a terminal would obey, and why it asks again", async () => {
		const questions: Question[] = [];
		const answers = ["green", "2"];
		const put = async (question: Question): Promise<string | undefined> => {
			questions.push(question);
			return answers.shift();
		};
		const input = { question: "Which\u001b[1m colour?", choices: ["red", "blue"], default: "red" };
		expect(await ask(input, { ask: put }, { robotName: "helper" })).toEqual(said("blue"));
		const question = { robotName: "helper", text: "Which colour?", choices: ["red", "blue"], default: "red" };
		expect(questions).toEqual([question, { ...question, problem: '"green" is none of the choices.' }]);
	});

	it("is given one question at a time", async () => {
		let open = 0;
		let most = 0;
		const put = async (): Promise<string> => {
			most = Math.max(most, ++open);
			await settled();
			open--;
			return "x";
		};
		await Promise.all([1, 2, 3].map(() => ask({ question: "?" }, { ask: put })));
		expect(most).toBe(1);
	});

	it("is left behind when it heeds no signal, and its signal is aborted", async () => {
		let signal: AbortSignal | undefined;
		const never = (_: Question, context: { signal: AbortSignal }): Promise<string> => {
			signal = context.signal;
			return new Promise(() => {});
		};
		expect(await ask({ question: "?", default: "no" }, { ask: never, timeoutMs: 5 })).toEqual(said("no"));
		expect(signal?.aborted).toBe(true);
	});

	it("may reject with what its signal says, or late", async () => {
		const late = (_: Question, { signal }: { signal: AbortSignal }): Promise<string> =>
			new Promise((_resolve, reject) => signal.addEventListener("abort", () => setImmediate(() => reject(signal.reason))));
		expect(await ask({ question: "?" }, { ask: late, timeoutMs: 5 })).toEqual(failed("nobody answered within 0.005 s"));
		await settled();
	});

	it.each([
		[undefined, failed("there is nobody to answer: the input has ended")],
		[null, failed("there is nobody to answer: the input has ended")],
		["", said("(the answer was empty)")],
		[7, failed("ask() answered with 7, not with a text")],
		[{}, failed("ask() answered with an object, not with a text")],
	])("may answer with %o", async (answer, outcome) => {
		expect(await ask({ question: "?" }, { ask: async () => answer as string })).toEqual(outcome);
	});

	it("may throw", async () => {
		const put = (): never => {
			throw new Error("no window");
		};
		expect(await ask({ question: "?" }, { ask: put })).toEqual(failed("no window"));
		expect(await ask({ question: "?" }, { ask: put })).toEqual(failed("no window"));
	});
});

describe("askUser()", () => {
	it("is a tool named ask_user, or as it is told", () => {
		expect(askUser().name).toBe("ask_user");
		expect(askUser({ name: "ask_owner" }).name).toBe("ask_owner");
	});

	it.each([
		[{ timeout: 5 }, 'Did you mean "timeoutMs"?'],
		[{ timeoutMs: -1 }, "timeoutMs must be from 0"],
		[{ timeoutMs: "5" }, "timeoutMs must be from 0"],
		[{ input: 1 }, "askUser() takes as input a stream of node:stream, got 1"],
		[{ input: null }, "askUser() takes as input"],
		[{ input: new Writable() }, "askUser() takes as input"],
		[{ output: new Readable() }, "askUser() takes as output"],
		[{ output: {} }, "askUser() takes as output"],
		[{ ask: "x" }, "askUser() takes as ask a function"],
		[{ ask: null }, "askUser() takes as ask a function"],
		[{ ask: () => "x", output: process.stderr }, "either ask or input, output"],
		[{ ask: String, dropTypedAhead: true }, "either ask or input, output and dropTypedAhead"],
		[{ dropTypedAhead: "yes" }, "askUser() takes as dropTypedAhead true or false"],
		[{ name: "ask the user" }, "Cannot create a tool named"],
		[null, "askUser() takes options, got null"],
	])("throws ConfigurationError for %o", (options, message) => {
		expect(() => askUser(options as unknown as AskUserOptions)).toThrow(message);
		expect(() => askUser(options as unknown as AskUserOptions)).toThrow(ConfigurationError);
	});
});
