// 10: what a memory can do: values, waiting, listening, writers, copies, JSON, and answers that are found again.
import { setTimeout as wait } from "node:timers/promises";
import { AwaitTimeoutError, ConfigurationError, Memory } from "@robot-lab/core";

const title = (text: string): void => console.log(`\n${text}`);

title("Set and get");
const memory = new Memory();
memory.set("tea", { name: "Assam", cups: 2 });
memory.merge({ "order:1": "open", "order:2": "open" });
console.log(memory.get("tea"), memory.get("coffee"), memory.has("order:1"), memory.keys());
try {
	memory.set("bad", new Map());
} catch (error) {
	if (ConfigurationError.isInstance(error)) console.log(error.message);
}

title("Types");
const typed = new Memory<{ score: number; draft: string }>();
typed.set("score", 0.8);
console.log((typed.get("score") ?? 0) + 0.1); // a number, and `typed.set("scroe", 1)` does not compile

title("Wait for what another writes");
const waiting = memory.waitFor(["facts", "draft"], { timeoutMs: 5_000 }); // one deadline for both
memory.as("researcher").set("facts", ["Water boils."]);
await wait(1);
memory.as("writer").set("draft", "Tea needs it.");
console.log(await waiting);
try {
	await memory.waitFor("review", { timeoutMs: 0 }); // now or not at all
} catch (error) {
	if (AwaitTimeoutError.isInstance(error)) console.log(`nobody wrote ${error.missing.join(", ")}`);
}

title("Listen to one key: who changed it, from what to what");
const listening = memory.subscribe("tea", ({ kind, previous, value, writer }) => {
	console.log(kind, previous, value, writer ?? "somebody");
});
memory.as("barista").set("tea", { name: "Assam", cups: 3 });
memory.delete("tea");
listening.unsubscribe();
memory.set("tea", "nobody hears of this");

title("Listen to all keys that fit a pattern");
{
	using _ = memory.subscribePattern("order:?", ({ key, kind, value }) => console.log(kind, key, value));
	memory.as("shop").merge({ "order:1": "paid", "order:10": "does not fit", "order:3": "open" });
} // the listener is gone here
memory.set("order:3", "sent");

title("A copy is another memory");
const copy = memory.clone();
copy.set("order:1", "lost");
console.log(memory.get("order:1"), copy.get("order:1"));

title("Own keys of every memory");
memory.set("sessionId", "s-1");
memory.set("data", { ...memory.data, plan: "free" });
console.log(memory.sessionId, memory.data, memory.results.length);
memory.clear(); // takes the other keys
console.log(memory.keys(), memory.sessionId);

title("To JSON and back");
memory.set("order:4", "open");
const text = JSON.stringify(memory);
console.log(text);
console.log(Memory.fromJSON(text).get("order:4"));

title("An answer that was given before");
let asked = 0;
const capital = (question: string): Promise<string> =>
	memory.cache.fetch(question, () => {
		asked += 1; // a model, a search, whatever takes its time
		return "Paris";
	});
console.log(await capital("What is the capital of France?"), asked);
console.log(await capital("Hello, what's the capital of France, please?"), asked);
console.log((await memory.cache.get("what is the capital of france"))?.query);
console.log(await memory.cache.get("What was the capital of France?"), memory.cache.size);
