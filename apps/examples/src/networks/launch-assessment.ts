// 31: many assessors look at a launch side by side, each with a score. One fails and one is too slow: others stand in for them. The scores
// are weighed by a plain function, which the model that writes the verdict cannot talk out of it.
import assert from "node:assert/strict";
import { Network, type NetworkResult, Robot, type RobotResult } from "@robot-lab/core";
import { ScriptedModel, type ScriptedRound } from "@robot-lab/core/testing";
import * as z from "zod";
import { questions } from "./asked.js";

const Assessment = z.object({ score: z.number().min(0).max(10), reason: z.string() });
type Assessment = z.infer<typeof Assessment>;

/** What each area counts. Launch from a weighed mean of 7. */
const WEIGHTS = { engineering: 3, security: 3, legal: 2, support: 1, marketing: 1, finance: 1, operations: 1 } as const;
type Area = keyof typeof WEIGHTS;
const AREAS = Object.keys(WEIGHTS) as Area[];
const THRESHOLD = 7;

const says = (score: number, reason: string): string => JSON.stringify({ score, reason } satisfies Assessment);
const assessor = (name: string, round: ScriptedRound): Robot =>
	new Robot({ name, model: new ScriptedModel([round, round]), schema: Assessment, retries: 0 });

const chief = new ScriptedModel("We launch on Monday, with a lawyer on call.");

const launch = new Network({ name: "launch" })
	.parallel("assessors", {}, (group) =>
		group
			.task("engineering", assessor("engineer", says(9, "All tests are green.")))
			.task("security", assessor("guard", says(8, "One finding, mended.")))
			// fails for good after one more try: a cautious robot is asked the same
			.task("legal", assessor("lawyer", new Error("the lawyer's provider is down")), {
				retries: { maxRetries: 1, baseDelayMs: 1 },
				fallback: assessor("paralegal", says(4, "The terms need a second look.")),
			})
			.task("support", assessor("helper", says(7, "Two people are trained.")))
			.task("marketing", assessor("crier", says(10, "Everybody waits for it.")))
			// never comes to an end: a function makes the answer
			.task("finance", assessor("accountant", { text: "Let me", hang: true }), {
				timeoutMs: 200,
				fallback: () => says(5, "Nobody has looked."),
			})
			.task("operations", assessor("operator", says(9, "The servers are bored."))),
	)
	.task("verdict", new Robot({ name: "chief", model: chief, systemPrompt: "Write the verdict. The numbers are not yours to change." }), {
		dependsOn: ["assessors"],
		input: ({ results }) => {
			const { mean, decision } = weigh(results);
			return `The decision is: ${decision} (${mean.toFixed(1)} of ${THRESHOLD}). Write it up.`;
		},
	});

// a function as fallback makes text only, so what is no `data` is read here
const assessmentOf = (result: RobotResult | undefined): Assessment =>
	Assessment.parse(result?.data ?? JSON.parse(result?.lastTextContent ?? ""));

function weigh(results: NetworkResult["results"]): { readonly mean: number; readonly decision: "go" | "no go" } {
	const total = AREAS.reduce((sum, area) => sum + WEIGHTS[area], 0);
	const mean = AREAS.reduce((sum, area) => sum + WEIGHTS[area] * assessmentOf(results[area]).score, 0) / total;
	return { mean, decision: mean >= THRESHOLD ? "go" : "no go" };
}

const { status, tasks, results, lastTextContent } = await launch.run({ message: "May we launch the new kettle?" });

for (const area of AREAS) {
	const { score, reason } = assessmentOf(results[area]);
	const { attempts, error } = tasks[area];
	const insteadOf = error instanceof Error ? ` [${results[area]?.robotName}, after ${attempts}: ${error.message}]` : "";
	console.log(`${area} x${WEIGHTS[area]}: ${score}, ${reason}${insteadOf}`);
}
const { mean, decision } = weigh(results);
console.log(`${decision}, ${mean.toFixed(2)} of ${THRESHOLD}`);
console.log(lastTextContent);

assert.equal(status, "done");
// (3*9 + 3*8 + 2*4 + 7 + 10 + 5 + 9) / 12
assert.equal(mean, 7.5);
assert.deepEqual(questions(chief), ["The decision is: go (7.5 of 7). Write it up."]);
assert.deepEqual([tasks.legal.state, tasks.legal.attempts, results.legal?.robotName], ["done", 2, "paralegal"]);
assert.deepEqual([tasks.finance.state, tasks.finance.attempts], ["done", 1]);
