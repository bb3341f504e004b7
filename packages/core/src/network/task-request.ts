import { type Json, JsonValues } from "../json/json-values.js";
import type { Inherited } from "../robot/run-options.js";
import type { TemplateContext } from "../template/template.js";
import type { NetworkRecord } from "./network-record.js";
import type { NetworkTask } from "./network-task.js";
import type { TaskRequest } from "./task-runner.js";

/** What an attempt is asked for with. */
export interface NewRequest {
	readonly key: string;
	readonly network: NetworkRecord;
	readonly task: NetworkTask;
	readonly robot: string;
	readonly message: string;
	readonly context: TemplateContext | undefined;
}

type Said = NonNullable<Inherited["task"]>;

/** An attempt as it can be sent. */
export function taskRequest({ key, network, task, robot, message, context }: NewRequest): TaskRequest {
	const inherited = { task: saidBy(task.options), network: saidBy(network) };
	const request = { key, network: network.name, task: task.name, robot, message, inherited };
	return context === undefined ? request : withContext(request, context);
}

// of a type in which nothing is optional, so that a setting that is forgotten does not compile
const saidBy = ({ tools, mcp }: Said): { readonly [Setting in keyof Required<Said>]: Said[Setting] } => ({ tools, mcp });

/** As a property that is read like any other, and made when it is: in this process the context may hold what is no JSON. */
function withContext(request: TaskRequest, context: TemplateContext): TaskRequest {
	const get = (): Json => new JsonValues().accept({ ...context }, `The context of the task "${request.task}"`);
	return Object.defineProperty(request, "context", { get, enumerable: true });
}
