// 06: the templates of a shop. Triage decides which specialist answers. What holds for the whole shop is given when the robots
// are made; who writes and what they ordered is given with each run.
import { configure, Robot, type TemplateContext } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import { PROMPTS } from "./prompts-directory.js";

configure({ templatePath: PROMPTS });

const company = "Leaf & Kettle";
const departments = [
	{ name: "orders", about: "where an order is" },
	{ name: "returns", about: "what is sent back" },
];

const models = {
	triage: new ScriptedModel(["orders", "Returns", "poetry"]),
	orders: new ScriptedModel("It is with the carrier and comes on Friday."),
	returns: new ScriptedModel("Send it back, we refund 24 euros."),
	general: new ScriptedModel("We sell tea, and we do like poems."),
};

const triage = new Robot({
	name: "triage",
	model: models.triage,
	template: "shop/triage",
	context: { company, departments },
});
const general = new Robot({ name: "general", model: models.general, template: "shop/general", context: { company } });
const specialists = new Map([
	["orders", new Robot({ name: "orders", model: models.orders, template: "shop/orders", context: { company } })],
	["returns", new Robot({ name: "returns", model: models.returns, template: "shop/returns", context: { company, days: 14 } })],
]);

async function answer(message: string, customer: TemplateContext): Promise<string> {
	const department = (await triage.run(message)).lastTextContent?.trim().toLowerCase() ?? "";
	// a model may say anything: what is no department goes to somebody all the same
	const specialist = specialists.get(department) ?? general;
	const result = await specialist.run(message, { context: customer });
	return `${specialist.name}: ${result.lastTextContent}`;
}

const ada = { customer: "Ada", orders: [{ number: 7, item: "a teapot", state: "sent" }] };
console.log(await answer("Where is my teapot?", ada));
console.log(await answer("I do not like it.", ada));
console.log(await answer("Write me a poem.", {})); // nobody we know: the template has values for that

for (const [name, { calls }] of Object.entries(models)) console.log(`\nWhat ${name} was told:\n${calls[0]?.prompt[0]?.content}`);
