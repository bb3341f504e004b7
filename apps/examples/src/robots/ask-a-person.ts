// A robot that asks the person it works for. Here the answers are lines of a list; without `input` and `output` they are the terminal's.
import { Readable } from "node:stream";
import { askUser, Robot } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";

/** A reply that asks. */
const ask = (args: object) => ({ toolCalls: [{ name: "ask_user", args }] });

const model = new ScriptedModel([
	ask({ question: "Which tea?", choices: ["assam", "sencha"] }),
	ask({ question: "How many grams?", default: "100" }),
	ask({ question: "Shall I add a note?" }),
	ask({ question: "Which address?" }),
	"I ordered the tea, but I do not know where it goes.",
]);

// "espresso" is no choice and asked again; the empty line means the default; for the last question there is no line left
const typed = Readable.from(["espresso\n", "2\n", "\n", "For Ada\n"]);
const robot = new Robot({ name: "waiter", model, localTools: [askUser({ input: typed, output: process.stdout })] });

const result = await robot.run("Order tea for me.");

console.log("\n");
for (const { content, isError } of result.toolCalls) console.log(`${isError ? "no answer" : "answer"}: ${content}`);
console.log(result.lastTextContent);
