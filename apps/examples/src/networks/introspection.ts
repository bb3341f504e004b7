// 11: looking at a network: before it runs, while it runs, after it ran, and from nothing but its log.
import assert from "node:assert/strict";
import { EventLog, Network, NetworkError, NetworkProjection, Robot } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";

const robot = (name: string, answer: string): Robot => new Robot({ name, model: new ScriptedModel(answer) });

const network = new Network({ name: "support", concurrency: 4 }).tasks({
	classifier: {
		robot: robot("classifier", "billing"),
		next: ({ lastTextContent }, flow) => flow.activate(lastTextContent === "billing" ? "billing" : "technical"),
	},
	billing: { robot: robot("accountant", "You were charged twice."), dependsOn: "optional" },
	technical: { robot: robot("engineer", "Restart it."), dependsOn: "optional" },
	answer: { robot: robot("writer", "You get it back."), dependsOn: ["classifier", "billing", "technical"] },
});
network.parallel("checks", { dependsOn: ["answer"] }, (group) =>
	group.task("tone", robot("stylist", "Kind.")).task("facts", robot("checker", "Right.")),
);

// before it runs
console.log(network.visualize());
console.log(network.executionPlan());
console.log(network.toMermaid());
console.log(network.toDot());
console.log(JSON.stringify(network.toJSON().groups));

// while it runs: drawn anew at each event of the log
const log = new EventLog();
const live = new NetworkProjection();
const seen = new Set<string>();
log.subscribe((event) => {
	live.observe(event);
	for (const [task, { state }] of Object.entries(live.outcomes)) seen.add(`${task} ${state}`);
});
const result = await network.run({ message: "My bill is wrong.", log });
assert.ok(seen.has("classifier running") && seen.has("billing running") && !seen.has("technical running"));

// after it ran: from its result, and from its log alone
const withoutTimes = (text: string): string => text.replaceAll(/\d+ ms/g, "n ms");
const later = new NetworkProjection();
for (const event of log.after(0)) later.observe(event);
assert.equal(result.status, "done");
assert.deepEqual(result.activated, ["billing"]);
assert.equal(withoutTimes(later.drawing?.toMermaid() ?? ""), withoutTimes(network.toMermaid(result)));
console.log(withoutTimes(network.visualize(result)));

// what cannot be is refused when it is written
try {
	new Network({ name: "loop" }).tasks({
		chicken: { robot: robot("chicken", ""), dependsOn: ["egg"] },
		egg: { robot: robot("egg", ""), dependsOn: ["chicken"] },
	});
} catch (error) {
	if (NetworkError.isInstance(error)) console.log(`Refused: ${error.cycle.join(" > ")}`);
}
