import { readFile } from "node:fs/promises";

/** How a message is worded: in the skill's words, without them, in a hurry, in another skill's words; or it fits nothing, near a skill or far from all. */
export type MessageKind = "plain" | "para" | "casual" | "near" | "none-near" | "none-far";

export const FITTING_KINDS: readonly MessageKind[] = ["plain", "para", "casual", "near"];

/** A message and the skill that is right for it. */
export interface LabelledMessage {
	readonly message: string;
	/** The skill's name, `null` where none is. */
	readonly skill: string | null;
	readonly kind: MessageKind;
}

/** A skill that messages are labelled with. */
export interface LabelledSkill {
	readonly name: string;
	readonly description: string;
	readonly headings: readonly string[];
	readonly examples: readonly string[];
}

/** `dev`: constants are chosen on it. `test`: for reporting alone. */
export const HALVES = ["dev", "test"] as const;

export const labelledSkills = (): Promise<readonly LabelledSkill[]> => read("skills");

export const labelledMessages = (half: (typeof HALVES)[number]): Promise<readonly LabelledMessage[]> => read(half);

const DATA = new URL("../../data/matching/", import.meta.url);

const read = async <Item>(name: string): Promise<readonly Item[]> => JSON.parse(await readFile(new URL(`${name}.json`, DATA), "utf8"));
