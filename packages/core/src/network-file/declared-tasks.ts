import { snakeCase } from "../config/snake-case.js";
import type { DependsOn, TaskOptions } from "../network/task-options.js";
import { type DeclaredKind, declaredValue, declaredValues } from "./declared-kinds.js";
import type { DeclaredMap } from "./declared-map.js";
import { type DeclaredRule, declaredRules } from "./declared-next.js";
import { DeclaredContext, DeclaredText } from "./declared-text.js";

/** A task as a file has it. Who else is named in it is not looked at yet. */
export interface DeclaredTask {
	readonly name: string;
	readonly map: DeclaredMap;
	/** The name of its robot. */
	readonly robot: string;
	readonly dependsOn: DependsOn;
	readonly input: DeclaredText | undefined;
	readonly context: DeclaredContext | undefined;
	/** Another robot by its name, or the text of an answer. */
	readonly fallback: { readonly robot: string } | DeclaredText | undefined;
	readonly rules: readonly DeclaredRule[];
	readonly options: Pick<TaskOptions, PlainOption>;
}

/** Tasks that are begun together: a group, or tasks that stand one behind the other and are in none. */
export interface DeclaredBatch {
	readonly group: { readonly name: string; readonly map: DeclaredMap; readonly dependsOn: "none" | readonly string[] } | undefined;
	readonly tasks: readonly DeclaredTask[];
}

/** What is a task's option as it is written. */
type PlainOption = "tools" | "mcp" | "timeoutMs" | "retries" | "onFailure";

const PLAIN: Readonly<Record<PlainOption, DeclaredKind>> = {
	tools: "selection",
	mcp: "selection",
	timeoutMs: "number",
	retries: "number",
	onFailure: "text",
};

const TASK_KEYS = ["robot", "depends_on", "input", "context", ...Object.keys(PLAIN).map(snakeCase), "fallback", "next"];
const GROUP_KEYS = ["depends_on", "tasks"];
const MORE = "What else a task takes, code gives it: network.task() of what loadNetwork() answers.";

/** The tasks of a file, in its order. Throws ConfigurationError for what can be none. */
export function declaredBatches(tasks: DeclaredMap): readonly DeclaredBatch[] {
	const batches: { group: DeclaredBatch["group"]; tasks: DeclaredTask[] }[] = [];
	for (const name of tasks.keys) {
		const map = tasks.map(name);
		const last = batches.at(-1);
		if (map.keys.includes("tasks")) batches.push(declaredGroup(name, map));
		else if (last !== undefined && last.group === undefined) last.tasks.push(declaredTask(name, map));
		else batches.push({ group: undefined, tasks: [declaredTask(name, map)] });
	}
	return batches;
}

/** A text of a task, and where it stands. */
export interface PlacedText {
	readonly map: DeclaredMap;
	readonly key: string;
	readonly text: DeclaredText;
}

/** The texts of a task besides those in its context. */
export function textsOf({ map, input, fallback, rules }: DeclaredTask): readonly PlacedText[] {
	return [
		...(input === undefined ? [] : [{ map, key: "input", text: input }]),
		...(fallback === undefined || "robot" in fallback ? [] : [{ map, key: "fallback", text: fallback }]),
		...rules.flatMap(({ map: rule, halt }) => (halt === undefined || halt === true ? [] : [{ map: rule, key: "halt", text: halt }])),
	];
}

function declaredGroup(name: string, map: DeclaredMap): { group: DeclaredBatch["group"]; tasks: DeclaredTask[] } {
	map.checkKeys(GROUP_KEYS, "The rest is said by its tasks.");
	const dependsOn = declaredDependencies(map);
	if (dependsOn === "optional") throw map.wrong("depends_on", "none or a list of names: a group's tasks are optional each by itself");
	const tasks = map.map("tasks");
	return { group: { name, map, dependsOn }, tasks: tasks.keys.map((task) => declaredTask(task, tasks.map(task))) };
}

function declaredTask(name: string, map: DeclaredMap): DeclaredTask {
	map.checkKeys(TASK_KEYS, MORE);
	const robot = declaredValue(map, "robot", "text");
	if (robot === undefined) throw map.error(undefined, "has no robot", "Name one of those below robots: robot: …");
	const input = declaredValue(map, "input", "text");
	const context = declaredValue(map, "context", "values");
	return {
		name,
		map,
		robot: robot as string,
		dependsOn: declaredDependencies(map),
		input: input === undefined ? undefined : new DeclaredText(map, "input", input as string),
		context: context === undefined ? undefined : new DeclaredContext(map, "context", context),
		fallback: declaredFallback(map),
		rules: declaredRules(map),
		options: declaredValues(map, PLAIN, snakeCase) as DeclaredTask["options"],
	};
}

function declaredDependencies(map: DeclaredMap): DependsOn {
	const value = map.value("depends_on");
	if (value === undefined || value === "none") return "none";
	if (value === "optional") return "optional";
	if (typeof value === "string") throw map.wrong("depends_on", `none, optional or a list of names, e.g. [${value}]`, value);
	return declaredValue(map, "depends_on", "texts") as readonly string[];
}

function declaredFallback(map: DeclaredMap): DeclaredTask["fallback"] {
	if (!map.isMap("fallback")) {
		const text = declaredValue(map, "fallback", "text");
		return text === undefined ? undefined : new DeclaredText(map, "fallback", text as string);
	}
	const fallback = map.map("fallback");
	fallback.checkKeys(["robot"]);
	const robot = declaredValue(fallback, "robot", "text");
	if (robot === undefined) throw fallback.error(undefined, "names no robot", "Write { robot: its name }, or the text of an answer.");
	return { robot: robot as string };
}
