// 14: a night at the Rusty Circuit, a club for robots. What is said in the room everybody hears: comic, heckler and scout each have an ear on
// the channel "room". Their tools change the very robots that call them, from the next run on.
import assert from "node:assert/strict";
import { createTool, MessageBus, Robot } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import * as z from "zod";

const Said = z.object({ kind: z.enum(["joke", "heckle", "laugh", "verdict"]), text: z.string() });
type Said = z.infer<typeof Said>;
await using bus = new MessageBus({ channels: { room: Said } });

const call = (name: string, args: object) => ({ toolCalls: [{ name, args }] });

// tools that change their own robot
const changeStyle = createTool({
	name: "change_style",
	description: "Another style for your next jokes.",
	parameters: z.object({ style: z.string(), temperature: z.number() }),
	execute: ({ style, temperature }) => {
		comic.update({ systemPrompt: `You are a comic. Your style: ${style}.`, temperature });
		return `From the next joke on: ${style}`;
	},
});
const softenUp = createTool({
	name: "soften_up",
	description: "Stop heckling for good.",
	// a tool may even take itself away
	execute: () => {
		heckler.withTools([]).withInstructions("You laugh about everything.");
		return "You are softer now.";
	},
});
const notes: string[] = [];
const takeNote = createTool({
	name: "take_note",
	description: "Write down what you think of the act.",
	parameters: z.object({ note: z.string() }),
	execute: ({ note }) => {
		notes.push(note);
		return "noted";
	},
});

const models = {
	comic: new ScriptedModel([
		"I run on two cores. One of them is asleep.",
		call("change_style", { style: "sad robot", temperature: 0.9 }),
		"Fine, that one was recycled.",
		"My therapist says I have a loose connection. I said: I know, she left me.",
	]),
	heckler: new ScriptedModel(["My toaster tells better ones!", call("soften_up", {}), "Stop, my fan hurts!"]),
	scout: new ScriptedModel([
		...["Slow start.", "A hard room.", "Answers back well.", "Made the heckler laugh."].flatMap((note) => [
			call("take_note", { note }),
			"Noted.",
		]),
		"Signed, for three nights.",
	]),
};
const comic: Robot = new Robot({ name: "comic", model: models.comic, systemPrompt: "You are a comic.", localTools: [changeStyle], bus });
const heckler: Robot = new Robot({ name: "heckler", model: models.heckler, systemPrompt: "You heckle.", localTools: [softenUp], bus });
const scout = new Robot({ name: "scout", model: models.scout, systemPrompt: "You look for talent.", localTools: [takeNote], bus });

const answerOf = async (robot: Robot, prompt: string): Promise<string> => (await robot.run(prompt)).lastTextContent ?? "";
const say = (robot: Robot, kind: Said["kind"], text: string) => robot.sendMessage({ to: "room", content: { kind, text } });

/** An ear in the room. Members of one name each hear everything, and so does a robot what it said itself. */
const hears = (listen: (said: Said, from: string) => unknown) => bus.join("room").onMessage(({ content, from }) => listen(content, from));

hears(({ kind, text }, from) => console.log(`${from} (${kind}): ${text}`));
// the comic
hears(async ({ kind, text }) => {
	if (kind !== "heckle") return;
	await comic.run(`Somebody shouts: ${text}`); // this is where it changes its style
	await say(comic, "joke", await answerOf(comic, "Another joke."));
});
// the heckler
hears(async ({ kind, text }) => {
	if (kind !== "joke") return;
	const answer = await answerOf(heckler, `You hear: ${text}`);
	// who has no tool to soften up any more has done so
	await say(heckler, heckler.localTools.length > 0 ? "heckle" : "laugh", answer);
});
// the scout
hears(async ({ kind, text }) => {
	if (kind === "verdict") return;
	await scout.run(`A ${kind}: ${text}`);
	if (kind === "laugh") await say(scout, "verdict", await answerOf(scout, "Do we sign the comic?"));
});

await say(comic, "joke", await answerOf(comic, "Open the evening."));
await bus.idle();

const prompts = models.comic.calls.map(({ prompt, temperature = 0 }) => `${prompt[0]?.content} (${temperature})`);
console.log(`What the comic was, call by call:\n  ${prompts.join("\n  ")}`);
console.log(`What the heckler is now: ${heckler.systemPrompt} Tools: ${heckler.localTools.length}`);
console.log(`What the scout wrote down: ${notes.join(" ")}`);

assert.equal(comic.systemPrompt, "You are a comic. Your style: sad robot.");
assert.deepEqual([heckler.localTools.length, notes.length, bus.deadLetters.size], [0, 4, 0]);
assert.equal(bus.stats.room?.published, 5);
