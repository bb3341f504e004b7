import { expect, expectTypeOf, it, vi } from "vitest";
import type { StoredDocument } from "../../src/document/document.js";
import type { DocumentMatch } from "../../src/document/document-match.js";
import type { DocumentStoreOptions } from "../../src/document/document-options.js";
import { DocumentStore } from "../../src/document/document-store.js";
import type { Embedder } from "../../src/embedding/embedder.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { collectGarbage } from "../memory/collect-garbage.js";

/** A vector for each letter from a to d: texts of the same letters, in any order, are alike. */
const letters = (more: Partial<Embedder> = {}): Embedder => ({
	id: "letters-v1",
	embed: async (texts) => texts.map((text) => [..."abcd"].map((letter) => text.split(letter).length - 1)),
	...more,
});

const storeWith = (options: DocumentStoreOptions = {}): DocumentStore => new DocumentStore({ embedder: letters(), ...options });

/** An embedder that answers when it is told to, in any order. */
function slow(): { readonly embedder: Embedder; readonly answer: (text: string) => void; readonly fail: (text: string) => void } {
	const waiting = new Map<string, PromiseWithResolvers<void>>();
	const embed: Embedder["embed"] = async (texts, options) => {
		const turn = Promise.withResolvers<void>();
		waiting.set(texts.join("+"), turn);
		await turn.promise;
		return letters().embed(texts, options);
	};
	return {
		embedder: { id: "slow", embed },
		answer: (text) => waiting.get(text)?.resolve(),
		fail: (text) => waiting.get(text)?.reject(new Error(`no ${text}`)),
	};
}

it("finds texts by how much they are like a query, best first, with what is known of them", async () => {
	const store = storeWith();
	await store.set("far", "abbb", { page: 2 });
	await store.set("near", "aab");
	await store.set("apart", "ccc");
	expect(await store.search("aaaa")).toEqual([
		{ key: "near", text: "aab", score: expect.closeTo(0.894, 3), metadata: {} },
		{ key: "far", text: "abbb", score: expect.closeTo(0.316, 3), metadata: { page: 2 } },
	]);
	expect((await store.search("c")).map(({ key }) => key)).toEqual(["apart"]);
	expect(await store.search("xyz")).toEqual([]);
});

it("gives as many matches as asked for, and none below a score", async () => {
	const store = storeWith();
	await store.setAll(Array.from({ length: 9 }, (_, index) => ({ key: `k${index}`, text: `a${"b".repeat(index)}` })));
	const keys = async (options?: Parameters<DocumentStore["search"]>[1]) => (await store.search("a", options)).map(({ key }) => key);
	expect(await keys()).toEqual(["k0", "k1", "k2", "k3", "k4"]);
	expect(await keys({ limit: 2 })).toEqual(["k0", "k1"]);
	expect(await keys({ minScore: 0.4 })).toEqual(["k0", "k1", "k2"]);
	expect(await keys({ minScore: 1, limit: 100 })).toEqual(["k0"]);
	expect(await keys({ limit: 100 })).toHaveLength(9);
});

it("never finds what has nothing in common with the query, or less than nothing", async () => {
	const store = storeWith({
		embedder: { id: "signed", embed: async (texts) => texts.map((text) => [Number(text), 1 - Math.abs(Number(text))]) },
	});
	await store.setAll(["1", "0", "-1"].map((text) => ({ key: text, text })));
	expect(await store.search("1", { minScore: 0 })).toMatchObject([{ key: "1" }]);
});

it("finds by words where nobody gives an embedder", async () => {
	const store = new DocumentStore();
	await store.set("returns", "Tea that was opened cannot be returned.");
	await store.set("opening", "The shop opens at nine.");
	await store.set("stop words", "who is it");
	expect((await store.search("May I return a tea?")).map(({ key }) => key)).toEqual(["returns"]);
	expect([store.size, store.has("stop words"), await store.search("who is it")]).toEqual([3, true, []]);
});

it("keeps one text below a key, the one that was set last", async () => {
	const store = storeWith();
	await store.set("k", "a", { version: 1 });
	await store.set("other", "b");
	await store.set("k", "b");
	expect([store.get("k"), store.size, store.keys()]).toEqual([{ key: "k", text: "b", metadata: {} }, 2, ["other", "k"]]);
	expect(await store.search("a")).toEqual([]);
	expect([store.delete("k"), store.delete("k"), store.get("k"), store.has("k"), store.size]).toEqual([true, false, undefined, false, 1]);
	store.clear();
	expect([store.size, store.keys(), await store.search("b")]).toEqual([0, [], []]);
});

it("takes any text for a key", async () => {
	const store = storeWith();
	for (const key of ["", "__proto__", "constructor", "\u0000", "7"]) {
		expect([store.has(key), store.get(key)]).toEqual([false, undefined]);
		await store.set(key, "a", JSON.parse('{ "__proto__": { "polluted": true } }'));
	}
	const read = await DocumentStore.fromJSON(JSON.stringify(store), { embedder: letters() });
	expect(read.keys()).toEqual(["", "__proto__", "constructor", "\u0000", "7"]);
	expect(Object.keys(read.get("")?.metadata ?? {})).toEqual(["__proto__"]);
	expect("polluted" in {} || "polluted" in (read.get("")?.metadata ?? {})).toBe(false);
});

it("keeps copies that nobody can change", async () => {
	const store = storeWith();
	const metadata = { tags: ["x"], at: new Date(0), nothing: undefined };
	const writing = store.set("k", "a", metadata);
	metadata.tags.push("y");
	await writing;
	const found = await store.search("a");
	const kept = { tags: ["x"], at: "1970-01-01T00:00:00.000Z" };
	expect(store.get("k")).toStrictEqual({ key: "k", text: "a", metadata: kept });
	expect(found).toEqual([{ key: "k", text: "a", score: 1, metadata: kept }]);
	const [match] = found as unknown as { score: number; metadata: { tags: string[] } }[];
	expect(() => (found as unknown[]).push(1)).toThrow(TypeError);
	expect(() => match && Object.assign(match, { score: 2 })).toThrow(TypeError);
	expect(() => match?.metadata.tags.push("z")).toThrow(TypeError);
	expect(() => Object.assign(store.get("k") ?? {}, { text: "b" })).toThrow(TypeError);
	expect(() => Object.assign(match?.metadata ?? {}, { tags: [] })).toThrow(TypeError);
});

it("lets the document go that was set longest ago", async () => {
	const store = storeWith({ maxDocuments: 2 });
	await store.set("x", "a");
	await store.set("y", "a");
	await store.set("x", "aa");
	await store.set("z", "a");
	expect(store.keys()).toEqual(["x", "z"]);
	await store.setAll(["1", "2", "3"].map((key) => ({ key, text: "a" })));
	expect([store.keys(), store.size]).toEqual([["2", "3"], 2]);
});

it("asks the embedder once for several texts, and not at all for none", async () => {
	const asked: (readonly string[])[] = [];
	const embed: Embedder["embed"] = (texts, options) => {
		asked.push([...texts]);
		return letters().embed(texts, options);
	};
	const store = storeWith({ embedder: letters({ embed }) });
	await store.setAll([]);
	await store.setAll(
		new Set([
			{ key: "x", text: "a" },
			{ key: "y", text: "b" },
			{ key: "x", text: "c" },
		]),
	);
	expect([asked, store.get("x")?.text]).toEqual([[["c", "b"]], "c"]);
});

it("changes nothing when one of several documents is none", async () => {
	const store = storeWith();
	await expect(store.setAll([{ key: "x", text: "a" }, { key: "y" } as never])).rejects.toThrow(
		'documents.setAll(): the text of "y" must be a text, got undefined.',
	);
	expect(store.size).toBe(0);
});

it.each<[string, Embedder["embed"], RegExp]>([
	["throws", () => { throw new Error("no model"); }, /^no model$/], // biome-ignore format: one line
	["rejects", () => Promise.reject(new Error("no model")), /^no model$/],
	["gives too few vectors", async () => [[1]], /^the embedder "letters-v1" gave no list of 2 vectors of numbers for as many texts$/],
	["gives too many", async () => [[1], [1], [1]], /gave no list of 2 vectors/],
	["gives no numbers", async () => [[1], [Number.NaN]], /gave no list of 2 vectors/],
	["gives nothing", async () => undefined as never, /gave no list of 2 vectors/],
	["gives an empty vector", async () => [[1], []], /gave no list of 2 vectors/],
])("rejects and changes nothing when the embedder %s", async (_, embed, message) => {
	const embedder = { ...letters() };
	const store = storeWith({ embedder });
	await store.set("x", "a");
	embedder.embed = embed;
	const both = ["x", "y"].map((key) => ({ key, text: "b" }));
	await expect(store.setAll(both)).rejects.toThrow(message);
	embedder.embed = letters().embed;
	expect(store.toJSON()).toEqual({ documents: [{ key: "x", text: "a", metadata: {} }] });
	expect(await store.search("a")).toHaveLength(1);
});

it("rejects a search with what the embedder throws", async () => {
	await expect(storeWith({ embedder: letters({ embed: async () => [] }) }).search("a")).rejects.toThrow(/no vector of numbers for a text/);
});

it("counts the last call for a key, whichever embedding is ready first", async () => {
	const { embedder, answer } = slow();
	const store = new DocumentStore({ embedder });
	const first = store.set("k", "a");
	const second = store.setAll(["k", "other"].map((key) => ({ key, text: "b" })));
	const third = store.set("k", "c");
	answer("c");
	await third;
	answer("b+b");
	answer("a");
	await Promise.all([first, second]);
	expect([store.get("k")?.text, store.get("other")?.text, store.size]).toEqual(["c", "b", 2]);
});

it("counts an earlier call where the last one fails", async () => {
	const { embedder, answer, fail } = slow();
	const store = new DocumentStore({ embedder });
	const [first, second] = [store.set("k", "a"), store.set("k", "b")];
	fail("b");
	await expect(second).rejects.toThrow("no b");
	expect(store.has("k")).toBe(false);
	answer("a");
	await first;
	expect(store.get("k")?.text).toBe("a");
});

it.each(["delete", "clear"] as const)("%s forgets what is just being set, and nothing that is set afterwards", async (forget) => {
	const { embedder, answer } = slow();
	const store = new DocumentStore({ embedder });
	const before = store.setAll(["k", "other"].map((key) => ({ key, text: "a" })));
	store[forget]("k");
	const after = store.set("k", "b");
	answer("a+a");
	await before;
	expect(store.keys()).toEqual(forget === "delete" ? ["other"] : []);
	answer("b");
	await after;
	expect(store.get("k")?.text).toBe("b");
});

it("ends with the signal's reason, and keeps nothing, whether or not the embedder heeds it", async () => {
	const { embedder, answer } = slow();
	const store = new DocumentStore({ embedder });
	const stop = new AbortController();
	const writing = store.setAll([{ key: "k", text: "a" }], { signal: stop.signal });
	const searching = store.search("b", { signal: stop.signal });
	stop.abort("enough");
	await expect(writing).rejects.toBe("enough");
	await expect(searching).rejects.toBe("enough");
	answer("a");
	await new Promise((resolve) => setImmediate(resolve));
	expect(store.size).toBe(0);

	const untouched = storeWith({ embedder: letters({ embed: () => Promise.reject(new Error("was asked")) }) });
	await expect(untouched.search("a", { signal: stop.signal })).rejects.toBe("enough");
	await expect(untouched.setAll([{ key: "k", text: "a" }], { signal: stop.signal })).rejects.toBe("enough");
});

it("is heard by a signal that the embedder itself aborts", async () => {
	const stop = new AbortController();
	const embed = (): Promise<never> => {
		stop.abort("by itself");
		return new Promise(() => {});
	};
	await expect(storeWith({ embedder: letters({ embed }) }).search("a", { signal: stop.signal })).rejects.toBe("by itself");
});

it("leaves nothing at a signal that is used for many searches", async () => {
	const { signal } = new AbortController();
	const [add, remove] = [vi.spyOn(signal, "addEventListener"), vi.spyOn(signal, "removeEventListener")];
	const store = storeWith();
	await store.search("a", { signal });
	await storeWith({ embedder: letters({ embed: () => Promise.reject(new Error("no")) }) })
		.search("a", { signal })
		.catch(() => {});
	expect(add).toHaveBeenCalledTimes(2);
	expect(remove.mock.calls.map(([, listener]) => listener)).toEqual(add.mock.calls.map(([, listener]) => listener));
});

it("holds on to nothing that gave way", async () => {
	const store = storeWith({ maxDocuments: 1 });
	await store.set("k", "a");
	const first = new WeakRef(store.get("k") ?? {});
	await store.set("other", "b");
	await collectGarbage();
	expect([first.deref(), store.keys()]).toEqual([undefined, ["other"]]);
});

it("goes to JSON and back, to the embedder of the day", async () => {
	const store = storeWith();
	await store.setAll([
		{ key: "x", text: "aab", metadata: { page: 1, tags: ["t"] } },
		{ key: "y", text: "xyz" },
	]);
	const text = JSON.stringify(store);
	expect(text).toBe('{"documents":[{"key":"x","text":"aab","metadata":{"page":1,"tags":["t"]}},{"key":"y","text":"xyz","metadata":{}}]}');
	for (const json of [text, store.toJSON(), JSON.parse(text)]) {
		const read = await DocumentStore.fromJSON(json, { embedder: letters() });
		expect([JSON.stringify(read), await read.search("a")]).toEqual([text, await store.search("a")]);
	}
	const lexical = await DocumentStore.fromJSON(text, { maxDocuments: 1 });
	expect([lexical.keys(), (await lexical.search("xyz"))[0]?.key]).toEqual([["y"], "y"]);
	expect((await DocumentStore.fromJSON(new DocumentStore().toJSON())).size).toBe(0);
});

it.each<[unknown, RegExp]>([
	["{", /text is not JSON/],
	["[]", /a record with a list of documents, got a list/],
	["7", /a record with a list of documents, got 7/],
	[undefined, /got undefined/],
	[null, /got null/],
	[{ documents: {} }, /a record with a list of documents/],
	[{ documents: [1] }, /takes documents with a key and a text, got 1/],
	[{ documents: [{ key: "k", text: "a", metadata: [] }] }, /metadata of "k" must be a record of plain data, got a list/],
])("does not read %j", async (json, message) => {
	const reading = DocumentStore.fromJSON(json as string);
	await expect(reading).rejects.toThrow(ConfigurationError);
	await expect(reading).rejects.toThrow(message);
});

it.each<[string, (store: DocumentStore) => Promise<unknown>, RegExp]>([
	["a key that is none", (store) => store.set(1 as never, "a"), /^documents\.set\(\): the key must be a text, got 1\.$/],
	["a text that is none", (store) => store.set("k", undefined as never), /the text of "k" must be a text, got undefined/],
	["metadata that is a text", (store) => store.set("k", "a", "x" as never), /metadata of "k" must be a record of plain data, got "x"/],
	["metadata of null", (store) => store.set("k", "a", null as never), /must be a record of plain data, got null/],
	["metadata that is a date", (store) => store.set("k", "a", new Date() as never), /must be a record of plain data/],
	["metadata with a bigint", (store) => store.set("k", "a", { n: 1n }), /plain data that JSON can write/],
	["metadata that holds itself", (store) => store.set("k", "a", holdsItself()), /plain data that JSON can write/],
	["metadata that throws", (store) => store.set("k", "a", { get x() { throw new Error("no"); } }), /plain data that JSON can write/], // biome-ignore format: one line
	["no list", (store) => store.setAll(7 as never), /^documents\.setAll\(\) takes a list of documents, got 7\.$/],
	["a record for a list", (store) => store.setAll({} as never), /takes a list of documents, got an object/],
	["null for a list", (store) => store.setAll(null as never), /takes a list of documents, got null/],
	["a text in a list", (store) => store.setAll(["a"] as never), /takes documents with a key and a text, got "a"/],
	["an unknown option", (store) => store.setAll([], { sginal: 1 } as never), /knows no option "sginal"\. Did you mean "signal"\?/],
	["a query that is none", (store) => store.search(7 as never), /^documents\.search\(\) takes a query of text, got 7\.$/],
	["a limit of 0", (store) => store.search("a", { limit: 0 }), /limit must be a whole number of 1 or more, got 0/],
	["half a limit", (store) => store.search("a", { limit: 1.5 }), /limit must be a whole number/],
	["a limit of text", (store) => store.search("a", { limit: "5" as never }), /limit must be a whole number of 1 or more, got "5"/],
	["a score above 1", (store) => store.search("a", { minScore: 1.1 }), /minScore must be a number from 0 to 1, got 1\.1/],
	["a score that is no number", (store) => store.search("a", { minScore: Number.NaN }), /minScore must be a number from 0 to 1, got NaN/],
	[
		"a mistyped limit",
		(store) => store.search("a", { limt: 1 } as never),
		/knows no option "limt"\. Did you mean "limit"\? It knows limit, minScore, signal\./,
	],
	["options that are null", (store) => store.search("a", null as never), /takes options, got null/],
])("refuses %s, and changes nothing", async (_, use, message) => {
	const store = storeWith();
	await store.set("k", "a");
	const using = use(store);
	await expect(using).rejects.toThrow(ConfigurationError);
	await expect(using).rejects.toThrow(message);
	expect(store.toJSON().documents).toEqual([{ key: "k", text: "a", metadata: {} }]);
});

it.each<[unknown, RegExp]>([
	[{ embeder: letters() }, /^new DocumentStore\(\) knows no option "embeder"\. Did you mean "embedder"\?/],
	[{ embedder: { id: "x" } }, /^new DocumentStore\(\): embedder must have an id and an embed function, got an object\.$/],
	[{ embedder: null }, /got null/],
	[{ maxDocuments: 0 }, /maxDocuments must be a whole number of 1 or more, got 0/],
	[{ maxDocuments: Number.POSITIVE_INFINITY }, /maxDocuments must be a whole number/],
	[null, /takes options, got null/],
])("cannot be made with %j", (options, message) => {
	const make = (): DocumentStore => new DocumentStore(options as DocumentStoreOptions);
	expect(make).toThrow(ConfigurationError);
	expect(make).toThrow(message);
});

it("lets an error through that a list throws while it is read", async () => {
	function* documents(): Generator<{ key: string; text: string }> {
		yield { key: "k", text: "a" };
		throw new Error("the file is gone");
	}
	const store = storeWith();
	await expect(store.setAll(documents())).rejects.toThrow("the file is gone");
	expect(store.size).toBe(0);
});

it("says in its types what is frozen", () => {
	expectTypeOf<Awaited<ReturnType<DocumentStore["search"]>>>().toEqualTypeOf<readonly DocumentMatch[]>();
	expectTypeOf<ReturnType<DocumentStore["get"]>>().toEqualTypeOf<StoredDocument | undefined>();
	expectTypeOf<DocumentMatch["metadata"]>().toEqualTypeOf<Readonly<Record<string, unknown>>>();
});

function holdsItself(): Record<string, unknown> {
	const record: Record<string, unknown> = {};
	record.itself = record;
	return record;
}
