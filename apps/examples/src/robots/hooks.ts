// 35: hooks: an audit log, a guard that refuses a call, and one that hides numbers of cards.
import { createTool, type FailedHookContext, type FinishedHookContext, Hook, type HookContext, Robot, registerHook } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";

/** Writes down what every robot in the process does. Its messages call it audit_log. */
class AuditLog extends Hook {
	readonly lines: string[] = [];

	override beforeRun({ robotName, message, local }: HookContext<"run">): void {
		local.calls = 0; // this hook's own, for this one run
		this.lines.push(`${robotName} was asked: ${message}`);
	}

	// this hook stands outside of the others, so it sees what really leaves
	override afterToolCall({ robotName, toolName, args, result, local }: FinishedHookContext<"toolCall">): void {
		local.calls = Number(local.calls) + 1;
		this.lines.push(`${robotName} called ${toolName} ${JSON.stringify(args)}: ${result.text}`);
	}

	override afterRun({ robotName, result, local }: FinishedHookContext<"run">): void {
		this.lines.push(`${robotName} answered after ${local.calls} calls: ${result.lastTextContent}`);
	}

	override onError({ robotName, family, error }: FailedHookContext): void {
		this.lines.push(`${robotName} failed at ${family}: ${(error as Error).message}`);
	}
}

/** Answers in the place of every tool that deletes. */
const guard: Hook = {
	namespace: "guard",
	aroundToolCall: ({ toolName }, next) =>
		toolName.startsWith("delete_") ? { text: "Error (not allowed): nothing is deleted here. Tell the user.", isError: true } : next(),
};

/** Changes what the model reads. */
const redaction: Hook = {
	namespace: "redaction",
	afterToolCall: (context) => {
		context.result = { ...context.result, text: context.result.text.replace(/\b\d{16}\b/g, "[card]") };
	},
};

/** What a hook throws fails the run. */
const openingHours: Hook = {
	namespace: "opening_hours",
	beforeRun: () => {
		throw new Error("we are closed");
	},
};

let deleted = 0;
const findOrder = createTool({ name: "find_order", description: "Finds the order.", execute: () => "teapot, paid with 4000123412341234" });
const deleteOrder = createTool({ name: "delete_order", description: "Deletes the order.", execute: () => `deleted ${++deleted}` });

const model = new ScriptedModel([{ toolCalls: [{ name: "find_order" }, { name: "delete_order" }] }, "I may not delete it."]);
const robot = new Robot({ name: "clerk", model, localTools: [findOrder, deleteOrder], hooks: [guard, redaction] });

const audit = new AuditLog();
const subscription = registerHook(audit); // every robot, until the subscription ends

await robot.run("Delete my order.");
try {
	await robot.run("Are you there?", { hooks: [openingHours] }); // this run alone
} catch (error) {
	console.log(`Rejected: ${(error as Error).message}`);
}
subscription.unsubscribe();
await new Robot({ name: "nobody", model: "offline" }).run("This is not written down.");

console.log(audit.lines.join("\n"));
console.log(`Deleted: ${deleted}`);
