import type { ScriptedModel } from "@robot-lab/core/testing";

type Call = ScriptedModel["calls"][number];

/** The text of the last message that was sent to a model by a user, or by another robot. */
export function asked({ prompt }: Call): string {
	const content = prompt.findLast(({ role }) => role === "user")?.content ?? [];
	return [...content].map((part) => (typeof part !== "string" && part.type === "text" ? part.text : "")).join("");
}

/** The same for each call that a model got. */
export const questions = ({ calls }: ScriptedModel): readonly string[] => calls.map(asked);
