import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import { type Selection, selectionFlaw } from "../value/selection.js";

/** The settings that come from several levels. */
export type CascadeSetting = "tools" | "mcp";

/** Who may say which tools and MCP servers a run has, the nearest first. */
export type CascadeLevel = "run" | "robot" | "task" | "network" | "config";

/** What each level says; one that is absent inherits. */
export type CascadeLevels = Readonly<Partial<Record<CascadeLevel, Selection | undefined>>>;

/** What counts, and at which level it was said; `all`, and at none, where every level inherits. */
export interface CascadeChoice {
	readonly choice: "all" | "none" | readonly string[];
	readonly from?: CascadeLevel;
}

// the order counts
const WHOSE: Readonly<Record<CascadeLevel, string>> = {
	run: "A run's",
	robot: "A robot's",
	task: "A task's",
	network: "A network's",
	config: "The configuration's",
};

/** The nearest level that says something of its own decides. Throws ConfigurationError, naming the level, for what none may say, whoever decides. */
export function cascade(setting: CascadeSetting, levels: CascadeLevels): CascadeChoice {
	const said = (Object.keys(WHOSE) as CascadeLevel[]).map((level) => ({ level, selection: checked(setting, level, levels[level]) }));
	const nearest = said.find(({ selection }) => selection !== "inherit");
	if (nearest === undefined) return { choice: "all" };
	const { selection, level: from } = nearest;
	return { choice: selection.length === 0 ? "none" : (selection as "none" | readonly string[]), from };
}

/** A copy: whoever gave the list may change it while the run goes on. */
function checked(setting: CascadeSetting, level: CascadeLevel, given: unknown): Selection {
	if (given === undefined) return "inherit";
	const selection = Array.isArray(given) ? [...given] : given;
	const flaw = selectionFlaw(selection);
	if (flaw === undefined) return selection as Selection;
	const what = `${WHOSE[level]} ${setting} must`;
	throw new ConfigurationError(
		typeof flaw === "string"
			? `${what} be ${flaw}, not ${describeValue(selection)}.`
			: `${what} hold only ${flaw.holds}, not ${describeValue(flaw.entry)}.`,
	);
}

const KIND: Readonly<Record<CascadeSetting, string>> = { tools: "tool", mcp: "MCP server" };

/** What names are chosen among. */
export interface Chosen {
	readonly setting: CascadeSetting;
	/** Whose names these are. */
	readonly robotName: string;
	/** What the robot has. */
	readonly known: Iterable<string>;
}

/**
 * The names that a choice comes to, in the order of its list. One that the robot does not have is a ConfigurationError where the run or the robot
 * itself named it; the other levels name what is there for several robots, and what this one lacks is passed over.
 */
export function chosenNames({ choice, from }: CascadeChoice, { setting, robotName, known }: Chosen): readonly string[] {
	const names = new Set(known);
	if (choice === "none") return [];
	if (choice === "all") return [...names];
	const unknown = choice.find((name) => !names.has(name));
	if (unknown === undefined || (from !== "run" && from !== "robot")) return choice.filter((name) => names.has(name));
	const who = from === "run" ? "run()" : `The robot ${describeValue(robotName)}`;
	const has = names.size === 0 ? "It has none." : `It has ${[...names].join(", ")}.`;
	throw new ConfigurationError(
		`${who} was given the ${KIND[setting]} name ${describeValue(unknown)}, which this robot does not have.${didYouMean(unknown, names)} ${has}`,
	);
}
