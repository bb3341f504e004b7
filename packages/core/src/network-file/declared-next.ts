import type { RobotResult } from "../message/robot-result.js";
import type { NextFlow, TaskFlow, TaskOptions } from "../network/task-options.js";
import { isUnspaced } from "../text/unspaced-scripts.js";
import { wordsOf } from "../text/words.js";
import { declaredValue } from "./declared-kinds.js";
import type { DeclaredMap } from "./declared-map.js";
import { DeclaredText } from "./declared-text.js";

const RULE_KEYS = ["when", "activate", "halt"];

/** What follows from what an answer says. */
export interface DeclaredRule {
	readonly map: DeclaredMap;
	/** Words one of which the answer has to hold, each ` between blanks `. Empty: what follows when no other rule does. */
	readonly when: readonly string[];
	readonly activate: readonly string[];
	/** True: the network ends with the task's own result. */
	readonly halt: DeclaredText | true | undefined;
}

/**
 * The rules below `next`, in order. Throws ConfigurationError for what is none.
 *
 * @param task The map of the task.
 */
export function declaredRules(task: DeclaredMap): readonly DeclaredRule[] {
	const list = task.value("next");
	if (list === undefined) return [];
	if (!Array.isArray(list) || list.length === 0)
		throw task.wrong("next", "a list of rules, e.g. - { when: billing, activate: billing }", list);
	const rules = task.maps("next").map(declaredRule);
	const others = rules.findIndex(({ when }) => when.length === 0);
	if (others === -1 || others === rules.length - 1) return rules;
	throw (rules[others] as DeclaredRule).map.error(
		undefined,
		"has no when, so it is for all other answers",
		"Put it behind the other rules.",
	);
}

function declaredRule(map: DeclaredMap): DeclaredRule {
	map.checkKeys(RULE_KEYS);
	const activate = [...new Set(textsOf(map, "activate"))];
	const halt = map.value("halt");
	if (activate.length === 0 && halt === undefined) throw map.error(undefined, "says nothing to do", "Give it activate or halt.");
	if (halt !== undefined && halt !== true && typeof halt !== "string") throw map.wrong("halt", "true or a text", halt);
	const when = textsOf(map, "when").map((text) => {
		const words = spaced(text);
		if (words.trim() === "") throw map.error("when", "has no word in it", "Give letters or digits: only words are looked for.");
		return words;
	});
	return { map, when, activate, halt: typeof halt === "string" ? new DeclaredText(map, "halt", halt) : halt };
}

/** One text, or a list of some. */
function textsOf(map: DeclaredMap, key: string): readonly string[] {
	const value = map.value(key);
	if (typeof value === "string" && value.trim() !== "") return [value];
	if (Array.isArray(value) && value.length === 0) throw map.wrong(key, "a text or a list of texts", value);
	return (declaredValue(map, key, "texts") ?? []) as readonly string[];
}

/**
 * Rules as a task's `next`: all whose words are in the answer count, and where there are none, the one for all others.
 *
 * @param contextOf What texts call `context`.
 */
export function nextOf(
	rules: readonly DeclaredRule[],
	contextOf: (flow: TaskFlow) => Readonly<Record<string, unknown>>,
): Pick<TaskOptions, "next" | "activates"> {
	if (rules.length === 0) return {};
	return {
		activates: [...new Set(rules.flatMap(({ activate }) => activate))],
		next: (result: RobotResult, flow: NextFlow) => {
			const said = spaced(result.lastTextContent ?? "");
			const met = rules.filter(({ when }) => when.some((words) => isSaid(words, said)));
			for (const { activate, halt } of met.length > 0 ? met : rules.filter(({ when }) => when.length === 0)) {
				for (const task of activate) flow.activate(task);
				if (halt === true) flow.halt();
				else if (halt !== undefined) flow.halt(halt.fill(flow, contextOf(flow)));
			}
		},
	};
}

/** Words in lower case, each between blanks: one that is looked for is no part of another then. */
const spaced = (text: string): string => ` ${wordsOf(text).join(" ")} `;

/** Where a script sets no blanks, a word is looked for anywhere. */
const isSaid = (words: string, said: string): boolean => said.includes(isUnspaced(words) ? words.trim() : words);
