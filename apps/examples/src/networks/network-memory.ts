// 07: what robots of a network know together. Three analysers write side by side what they find, a synthesiser waits for all three, others listen.
import assert from "node:assert/strict";
import { createTool, Network, Robot } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import * as z from "zod";

/** For each analyser a tool that writes below its own key, in the network's memory. */
const writeTo = (key: string) =>
	createTool({
		name: "write",
		description: `Writes down the ${key} of the text.`,
		parameters: z.object({ found: z.string() }),
		execute: ({ found }, { memory }) => {
			memory?.set(`analysis:${key}`, found);
			return "written";
		},
	});

const KEYS = ["analysis:sentiment", "analysis:topics", "analysis:names"];

/** Blocks the synthesiser's run until everything is there, or the time is up. */
const readAll = createTool({
	name: "read_all",
	description: "Waits for all analyses and reads them.",
	timeoutMs: 10_000,
	execute: async (_, { memory, signal }) => {
		memory?.set("waiting", true);
		console.log("synthesiser waits");
		// one deadline for all keys; `signal` ends the wait with the run
		return memory?.waitFor(KEYS, { timeoutMs: 5_000, signal });
	},
});

const analyser = (name: string, key: string, found: string): Robot =>
	new Robot({
		name,
		model: new ScriptedModel([
			// the others begin when the synthesiser waits already: that is what this example is about
			async () => {
				await network.memory.waitFor("waiting");
				return { toolCalls: [{ name: "write", args: { found } }] };
			},
			"Done.",
		]),
		localTools: [writeTo(key)],
	});

const synthesiser = new ScriptedModel([{ toolCalls: [{ name: "read_all" }] }, "A happy letter about tea, from Ada."]);

const network = new Network({ name: "analysis" })
	.parallel("analysers", {}, (group) =>
		group
			.task("sentiment", analyser("reader of moods", "sentiment", "happy"))
			.task("topics", analyser("librarian", "topics", "tea"))
			.task("names", analyser("registrar", "names", "Ada")),
	)
	// depends on nobody: it begins with the others and waits in the memory
	.task("synthesis", new Robot({ name: "synthesiser", model: synthesiser, localTools: [readAll] }), {
		next: ({ lastTextContent }, flow) => {
			flow.memory.set("summary", lastTextContent);
			network.broadcast({ summary: lastTextContent });
		},
	});

// listeners: to one key, to all that fit a pattern, to what the network tells everybody
const seen: string[] = [];
network.memory.subscribePattern("analysis:*", ({ key, value, writer }) => {
	seen.push(key);
	console.log(`${writer} wrote ${key}: ${value}`);
});
network.memory.subscribe("summary", ({ writer }) => console.log(`${writer} wrote the summary`));
network.onBroadcast(({ network: name, payload }) => console.log(`${name} tells everybody ${JSON.stringify(payload)}`));
// a broadcast is below a key, too, so that it can be waited for
const told = network.memory.waitFor("_network_broadcast");

const { status, results } = await network.run({ message: "Dear shop, your tea made me happy. Ada" });

const [read] = results.synthesis?.toolCalls ?? [];
console.log(`synthesiser read ${read?.content}`);
console.log(`and answered: ${results.synthesis?.lastTextContent}`);

assert.equal(status, "done");
assert.deepEqual([...seen].sort(), [...KEYS].sort());
assert.deepEqual(JSON.parse(read?.content ?? ""), { "analysis:sentiment": "happy", "analysis:topics": "tea", "analysis:names": "Ada" });
assert.deepEqual(((await told) as { payload: unknown }).payload, { summary: results.synthesis?.lastTextContent });

// what was written stays for the next run, unless that is given `network.memory.clone()` or another memory
console.log(`left in the memory: ${network.memory.keys().join(", ")}`);
