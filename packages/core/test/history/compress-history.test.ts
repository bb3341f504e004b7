import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { compressHistory } from "../../src/history/compress-history.js";
import type { CompressionOptions } from "../../src/history/compression-options.js";
import type { History } from "../../src/history/history.js";
import { historyOf } from "../../src/history/history-of.js";
import { messagesOf } from "../../src/history/messages-of.js";
import { estimateTokens } from "../../src/history/tokens.js";
import { turnsOf } from "../../src/history/turns.js";
import { expectValidHistory } from "../robot/valid-history.js";
import { faultsOf, histories, talk, work } from "./histories.js";

const RECENT = [
	...talk("How do I prune my apple trees?", "Prune apple trees in late winter."),
	...talk("Which apple trees grow fast?", "Apple trees on strong roots grow fast."),
	...talk("Do apple trees need pruning each winter?", "Prune apple trees each winter."),
];
/** Nearly in the words of the recent turns. */
const NEAR = talk("How do I prune apple trees in winter?", "Prune your apple trees in late winter, they grow.");
/** In some of them. */
const MIDDLE = work(
	"Which trees stand in my garden?",
	"m",
	"3 apple trees, 2 pears, by the river",
	"Apple trees and pears stand in your garden.",
);
const FAR = work("What is the boiling point of helium?", "f", "4.222 kelvin", "Helium boils at 4.222 kelvin.");
const HISTORY: History = [...FAR, ...MIDDLE, ...NEAR, ...RECENT];

const texts = (history: History): string[] => messagesOf(history).flatMap((message) => (message.type === "text" ? [message.content] : []));

/** Collects what is to be summarized. */
function summarizer(answer: (text: string) => unknown): { asked: string[]; summarize: NonNullable<CompressionOptions["summarize"]> } {
	const asked: string[] = [];
	const summarize = (text: string): string => {
		asked.push(text);
		return answer(text) as string;
	};
	return { asked, summarize };
}

describe("compressHistory()", () => {
	it("keeps what the recent turns are about, and leaves the rest out where nobody summarizes", async () => {
		expect(await compressHistory(HISTORY)).toEqual([...NEAR, ...RECENT]);
	});

	it("puts the user's message and the summary in the place of what lies between", async () => {
		const { asked, summarize } = summarizer(async () => "You have three apple trees.");
		const shorter = await compressHistory(HISTORY, { summarize });
		expect(shorter).toEqual([...talk("Which trees stand in my garden?", "You have three apple trees."), ...NEAR, ...RECENT]);
		expect(asked).toEqual([
			"User: Which trees stand in my garden?\n\n" +
				'Assistant calls find({"id":"m"})\n\n' +
				"Result of find: 3 apple trees, 2 pears, by the river\n\n" +
				"Assistant: Apple trees and pears stand in your garden.",
		]);
		expectValidHistory(shorter);
	});

	it("leaves out what its summary says nothing of", async () => {
		expect(await compressHistory(HISTORY, { summarize: () => " \n" })).toEqual([...NEAR, ...RECENT]);
	});

	it("compares by the thresholds it is given", async () => {
		const { asked, summarize } = summarizer(() => "Short.");
		expect(await compressHistory(HISTORY, { keepThreshold: 0.1, dropThreshold: 0 })).toEqual([...MIDDLE, ...NEAR, ...RECENT]);
		expect(await compressHistory(HISTORY, { keepThreshold: 1, dropThreshold: 0.99, summarize })).toEqual(RECENT);
		expect(asked).toEqual([]);
		const all = await compressHistory(HISTORY, { keepThreshold: 1, dropThreshold: 0, summarize });
		expect(asked).toHaveLength(3);
		expect(texts(all).filter((text) => text === "Short.")).toHaveLength(3);
	});

	it("keeps what is exactly as near as it must be, and leaves nothing out that is exactly as near as it may be", async () => {
		// four words, each once: the numbers are whole
		const twice = [...talk("lions tigers zebras camels", "OK."), ...talk("lions tigers zebras camels", "OK.")];
		expect(await compressHistory(twice, { recentTurns: 1, keepThreshold: 1 })).toBe(twice);
		const { asked, summarize } = summarizer(() => "Helium.");
		await compressHistory([...FAR, ...RECENT], { dropThreshold: 0, summarize });
		expect(asked).toHaveLength(1);
	});

	it("makes room where too much is alike: the least alike go first, then the oldest, never the recent", async () => {
		const again = Array.from({ length: 6 }, (_, day) =>
			talk(`Day ${day}: how do I prune apple trees in winter?`, "Prune your apple trees in late winter."),
		);
		const lessAlike = talk("Day 9: how do I prune pears and apple trees?", "Prune your pears and apple trees in late winter.");
		const older = [...again.slice(0, 3), lessAlike, ...again.slice(3)];
		const history = [...older.flat(), ...RECENT];
		expect(await compressHistory(history)).toBe(history);
		const all = [...older, RECENT].map(estimateTokens).reduce((one, other) => one + other);
		expect(await compressHistory(history, { targetTokens: all })).toBe(history);
		expect(await compressHistory(history, { targetTokens: all - 1 })).toEqual([...again.flat(), ...RECENT]);
		const less = all - estimateTokens(lessAlike) - 1;
		expect(await compressHistory(history, { targetTokens: less })).toEqual([...again.slice(1).flat(), ...RECENT]);
		expect(await compressHistory(history, { targetTokens: 0 })).toEqual(RECENT);
		expect(await compressHistory([...again.flat(), ...talk("Yes", "Yes, well.")], { recentTurns: 1, targetTokens: 30 })).toEqual([
			...(again.at(-1) ?? []),
			...talk("Yes", "Yes, well."),
		]);
	});

	it("makes summaries of what must give way, and leaves those out that do not fit either", async () => {
		const { asked, summarize } = summarizer(() => "Prune.");
		const room = estimateTokens([...talk("How do I prune apple trees in winter?", "Prune."), ...RECENT]);
		const shorter = await compressHistory([...NEAR, ...RECENT], { summarize, targetTokens: room });
		expect(shorter).toEqual([...talk("How do I prune apple trees in winter?", "Prune."), ...RECENT]);
		expect(await compressHistory([...NEAR, ...RECENT], { summarize, targetTokens: room - 1 })).toEqual(RECENT);
		expect(asked).toHaveLength(2);
	});

	it("takes as many recent turns as it is told", async () => {
		const talkOfHelium = talk("Tell me more of helium and how it boils.", "Helium boils at 4.222 kelvin.");
		expect(await compressHistory([...HISTORY, ...talkOfHelium], { recentTurns: 1 })).toEqual([...FAR, ...talkOfHelium]);
	});

	it.each([
		["there are no older turns", RECENT, {}],
		["there is nothing", [], {}],
		["every older turn is as near as those", [...NEAR, ...RECENT], {}],
		["more turns are recent than there are", HISTORY, { recentTurns: 99 }],
		["the recent turns say too little", [...FAR, ...talk("Yes", "Yes, well.")], { recentTurns: 1 }],
		[
			"the recent turns are of words without meaning",
			[...FAR, ...talk("What would you do?", "I would do that now, okay?")],
			{ recentTurns: 1 },
		],
		[
			"the recent turns have only results",
			[...HISTORY, ...work("Go", "g", "a long result of many words about nothing", "OK")],
			{ recentTurns: 1 },
		],
	])("is the same history where %s", async (_, history: History, options) => {
		expect(await compressHistory(history, options)).toBe(history);
	});

	it("keeps an older turn that is too short to be compared, unless tools worked in it", async () => {
		const [short, long] = [talk(`${" ".repeat(30)}Hi`, "Hello."), work("Read", "r", "kelvin ".repeat(9_000), "Done.")];
		expect(await compressHistory([...short, ...long, ...FAR, ...RECENT])).toEqual([...short, ...RECENT]);
	});

	it("says of a huge turn its beginning and its end, and keeps the beginning of its question", async () => {
		const huge = work(
			`Trees ${"of a garden ".repeat(100_000)}`,
			"h",
			"x".repeat(10_000_000),
			`apple trees ${"in the garden ".repeat(100_000)}so.`,
		);
		const { asked, summarize } = summarizer(() => "Trees.");
		const [question] = await compressHistory([...huge, ...RECENT], { summarize, keepThreshold: 1, dropThreshold: 0 });
		expect(asked[0]?.length).toBeLessThan(100_100);
		expect(asked[0]).toMatch(/^User: Trees of a garden [\s\S]* in the garden so\.$/);
		expect(JSON.stringify(question).length).toBeLessThan(1_100);
	});

	it("makes one summary after the other, in their order", async () => {
		let under = 0;
		const seen: string[] = [];
		const summarize = async (text: string): Promise<string> => {
			expect(++under).toBe(1);
			await setImmediate();
			under -= 1;
			return `${seen.push(text.slice(6, 11))}.`;
		};
		const shorter = await compressHistory(HISTORY, { summarize, keepThreshold: 1, dropThreshold: 0 });
		expect(seen).toEqual(["What ", "Which", "How d"]);
		expect(texts(shorter).filter((text) => /^\d\.$/.test(text))).toEqual(["1.", "2.", "3."]);
	});

	it.each([
		["throws", () => { throw new Error("no model"); }], // biome-ignore format: one line
		["rejects", () => Promise.reject(new Error("no model"))],
	])("rejects with what summarize %s, and the history is as it was", async (_, fail) => {
		const before = JSON.stringify(HISTORY);
		const { asked, summarize } = summarizer(fail);
		await expect(compressHistory(HISTORY, { summarize, keepThreshold: 1, dropThreshold: 0 })).rejects.toThrow("no model");
		expect(asked).toHaveLength(1);
		expect(JSON.stringify(HISTORY)).toBe(before);
	});

	it.each([undefined, null, 7, {}, ["a"]])("rejects with ConfigurationError where summarize answers with %o", async (answer) => {
		const compressing = compressHistory(HISTORY, { summarize: () => answer as string });
		await expect(compressing).rejects.toThrow(/summarize must answer with text, got /);
		await expect(compressing).rejects.toThrow(ConfigurationError);
	});

	it("ends when it is aborted, whether or not summarize heeds it, and hands the signal on", async () => {
		const { signal, abort } = aborting();
		const given: (AbortSignal | undefined)[] = [];
		const compressing = compressHistory(HISTORY, {
			signal,
			summarize: (_, context) => {
				given.push(context.signal);
				return new Promise(() => {});
			},
		});
		abort();
		await expect(compressing).rejects.toThrow("enough");
		expect(given).toEqual([signal]);
	});

	it("leaves no listener on the signal of a compression that came to its end", async () => {
		const { signal } = aborting();
		await compressHistory(HISTORY, { signal, summarize: async () => "Short." });
		await expect(compressHistory(HISTORY, { signal, summarize: () => Promise.reject(new Error("no")) })).rejects.toThrow("no");
		expect(getEventListeners(signal, "abort")).toEqual([]);
	});

	it("asks for no summary once it is aborted", async () => {
		const { signal, abort } = aborting();
		const { asked, summarize } = summarizer(() => abort() ?? "Short.");
		await expect(compressHistory(HISTORY, { signal, summarize, keepThreshold: 1, dropThreshold: 0 })).rejects.toThrow("enough");
		await expect(compressHistory(HISTORY, { signal, summarize })).rejects.toThrow("enough");
		await expect(compressHistory(RECENT, { signal })).rejects.toThrow("enough");
		expect(asked).toHaveLength(1);
	});

	it.each<[string, unknown, RegExp]>([
		["no options", null, /takes options, got null/],
		["an unknown option", { recentTurn: 3 }, /Did you mean "recentTurns"/],
		["no recent turns", { recentTurns: 0 }, /recentTurns must be a whole number of 1 or more, got 0/],
		["half a turn", { recentTurns: 1.5 }, /recentTurns/],
		["turns as text", { recentTurns: "3" }, /recentTurns/],
		["a keepThreshold above 1", { keepThreshold: 1.1 }, /keepThreshold must be a number from 0 to 1, got 1.1/],
		["a dropThreshold below 0", { dropThreshold: -0.1 }, /dropThreshold must be a number from 0 to 1/],
		["no number", { keepThreshold: Number.NaN }, /keepThreshold must be a number from 0 to 1, got NaN/],
		[
			"thresholds that are the same",
			{ keepThreshold: 0.5, dropThreshold: 0.5 },
			/keepThreshold \(0.5\) must be more than dropThreshold \(0.5\)/,
		],
		["thresholds the wrong way round", { keepThreshold: 0.1 }, /must be more than dropThreshold/],
		["half a token", { targetTokens: 0.5 }, /targetTokens must be a whole number of 0 or more/],
		["a summary that is no function", { summarize: "short" }, /summarize must be a function, got "short"/],
		["null as summarize", { summarize: null }, /summarize must be a function, got null/],
		["a controller as signal", { signal: new AbortController() }, /signal must be an AbortSignal/],
		["null as signal", { signal: null }, /signal must be an AbortSignal, got null/],
	])("rejects with ConfigurationError for %s, however short the history is", async (_, options, reason) => {
		await expect(compressHistory([], options as object)).rejects.toThrow(reason);
		await expect(compressHistory([], options as object)).rejects.toThrow(ConfigurationError);
	});

	const thresholds = fc
		.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
		.filter(([a, b]) => a !== b);
	it("leaves a valid history, the recent turns and nothing new but summaries, whatever was said", async () => {
		await fc.assert(
			fc.asyncProperty(
				histories,
				fc.integer({ min: 1, max: 4 }),
				thresholds,
				fc.constantFrom("Brief.", "", undefined),
				fc.option(fc.nat(200), { nil: undefined }),
				async (history, recentTurns, two, brief, targetTokens) => {
					const [dropThreshold = 0, keepThreshold = 1] = two.toSorted((one, other) => one - other);
					const more = { ...(brief !== undefined && { summarize: () => brief }), ...(targetTokens !== undefined && { targetTokens }) };
					const shorter = await compressHistory(history, { recentTurns, dropThreshold, keepThreshold, ...more });
					const recent = estimateTokens(turnsOf(history).slice(-recentTurns).flat());
					if (targetTokens !== undefined) expect(estimateTokens(shorter)).toBeLessThanOrEqual(Math.max(targetTokens, recent));
					expect(faultsOf(shorter)).toEqual([]);
					expect(faultsOf(historyOf(messagesOf(shorter)))).toEqual([]);
					expect(shorter.length).toBeLessThanOrEqual(history.length);
					expect(turnsOf(shorter).slice(-recentTurns)).toEqual(turnsOf(history).slice(-recentTurns));
					const said = new Set([...texts(history), "Brief."]);
					expect(texts(shorter).filter((text) => !said.has(text))).toEqual([]);
					if (shorter.length === history.length && !texts(shorter).includes("Brief.")) expect(shorter).toBe(history);
				},
			),
		);
	});
});

function aborting(): { signal: AbortSignal; abort: () => void } {
	const controller = new AbortController();
	return { signal: controller.signal, abort: () => controller.abort(new Error("enough")) };
}
