// 03: a classifier decides which specialist answers. The others are not asked, and whoever waits for them goes on without them.
import assert from "node:assert/strict";
import { configure, Network, Robot, type TaskDefinition } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import { PROMPTS } from "../robots/prompts-directory.js";
import { questions } from "./asked.js";

configure({ templatePath: PROMPTS });

const company = "Leaf & Kettle";
const departments = ["billing", "technical", "general"] as const;

// what real models would say to the four messages below
const models = {
	classifier: new ScriptedModel(["billing", "Technical.", "poetry", "spam"]),
	billing: new ScriptedModel("You were charged twice: 24 euros come back."),
	technical: new ScriptedModel("Hold the button for ten seconds."),
	general: new ScriptedModel("We sell tea, and we do like poems."),
	writer: new ScriptedModel(["Sorry about the bill. 24 euros come back.", "Hold the button, please.", "Tea is a poem."]),
};

const specialist = (department: (typeof departments)[number]) =>
	({
		robot: new Robot({ name: department, model: models[department], template: "support/specialist", context: { company, department } }),
		dependsOn: "optional",
		input: ({ message }) => message, // the customer's words, without those of the classifier
		context: ({ context }) => ({ customer: String(context.customer) }),
	}) satisfies TaskDefinition;

const support = new Network({ name: "support" }).tasks({
	classifier: {
		robot: new Robot({ name: "classifier", model: models.classifier, template: "support/classifier", context: { company, departments } }),
		next: ({ lastTextContent = "" }, flow) => {
			const word = lastTextContent.toLowerCase().replace(/\W/g, "");
			if (word === "spam") flow.halt("Not answered.");
			// a model may say anything: what is no department goes to somebody all the same
			else flow.activate(departments.find((department) => department === word) ?? "general");
		},
	},
	billing: specialist("billing"),
	technical: specialist("technical"),
	general: specialist("general"),
	reply: {
		robot: new Robot({ name: "writer", model: models.writer, systemPrompt: "You write the reply. Be brief and kind." }),
		dependsOn: departments,
	},
});

const messages = ["My bill is wrong.", "My kettle blinks.", "Write me a poem.", "Buy cheap watches!"];
const statuses: string[] = [];
for (const message of messages) {
	const { status, activated, tasks, lastTextContent } = await support.run({ message, context: { customer: "Ada" } });
	const states = Object.entries(tasks).map(([name, { state }]) => `${name} ${state}`);
	console.log(`${message}\n  ${states.join(", ")}\n  ${lastTextContent}`);
	statuses.push(`${status} ${activated.join()}`);
}
assert.deepEqual(statuses, ["done billing", "done technical", "done general", "halted "]);
// each specialist was asked once, the writer never about spam
assert.deepEqual(
	Object.values(models).map(({ calls }) => calls.length),
	[4, 1, 1, 1, 3],
);

console.log(`\nBilling was told: ${models.billing.calls[0]?.prompt[0]?.content}`);
console.log(`Billing was asked: ${questions(models.billing)[0]}`);
console.log(`The writer was asked: ${questions(models.writer)[0]}`);
