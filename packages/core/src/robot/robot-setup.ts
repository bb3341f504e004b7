import { ConfigurationError } from "../errors/configuration-error.js";
import { checkHooks } from "../hook/check-hooks.js";
import type { RegisteredHook } from "../hook/registered-hook.js";
import { isPlainRecord } from "../value/is-plain-record.js";
import { plainCopy } from "../value/plain-copy.js";
import { checkOptionNames } from "./check-robot-options.js";
import { type ResolvedRobotOptions, resolveRobotOptions } from "./resolve-robot-options.js";
import { RobotMcp } from "./robot-mcp.js";
import type { RobotOptions } from "./robot-options.js";
import { RobotSkills } from "./skills-for-run.js";

/** What a robot is made of. Replaced as a whole when the robot is changed: a run that goes on keeps the one it began with. */
export interface RobotSetup {
	/** As it was given, without its bus, which it may leave. */
	readonly made: RobotOptions;
	readonly options: ResolvedRobotOptions;
	readonly skills: RobotSkills | undefined;
	readonly hooks: readonly RegisteredHook[];
	readonly mcp: RobotMcp;
}

/** What can be changed of a robot; `undefined` takes it away. */
export type RobotChanges = { readonly [Name in Exclude<keyof RobotOptions, "name" | "bus">]?: RobotOptions[Name] | undefined };

/**
 * Throws ConfigurationError for options that cannot work.
 *
 * @param mcp The servers of the robot as it was, where they are the same: they are not started again.
 */
export function setUpRobot(given: RobotOptions, mcp?: RobotMcp): RobotSetup {
	const { bus: _, ...made } = kept({ ...given });
	const options = resolveRobotOptions(made);
	const { skills, matching = {} } = made;
	const hasSkills = skills !== undefined || options.templates.names.length > 0;
	return {
		made,
		options,
		skills: hasSkills ? new RobotSkills(skills ?? [], matching) : undefined,
		mcp: mcp ?? new RobotMcp({ mcp: options.mcp, robotName: options.name }),
		hooks: made.hooks === undefined ? [] : checkHooks("new Robot(), hooks", made.hooks),
	};
}

/** Throws ConfigurationError for changes after which it could not work. */
export function changedSetup({ made, mcp }: RobotSetup, changes: RobotChanges): RobotSetup {
	checkOptionNames("update()", changes);
	if ("name" in changes) {
		throw new ConfigurationError("A robot keeps its name: results, memories and logs know it by it. Make another robot.");
	}
	if ("bus" in changes) throw new ConfigurationError("update() does not move a robot to another bus: withBus(bus) does, and leaveBus().");
	const values = "template" in changes ? { context: {} } : {};
	// its own option counts more than that of a config
	const hasSameServers = !("mcp" in changes) && (made.mcp !== undefined || !("config" in changes));
	return setUpRobot({ ...made, ...values, ...changes } as RobotOptions, hasSameServers ? mcp : undefined);
}

/** What is data to the bottom. A model, a tool, a hook or an embedder may be a plain record, too, and has to stay the one that it is. */
const DATA: ReadonlySet<string> = new Set<keyof RobotOptions>([
	"context",
	"schema",
	"headers",
	"providerOptions",
	"mcp",
	"pricing",
	"autoCompact",
	"retries",
]);

/** Options that are read again when the robot is changed: whoever gave a list or a record may change it by then, and tools may come but once. */
const kept = <Options extends object>(given: Options): Options =>
	Object.fromEntries(Object.entries(given).map(([name, value]) => [name, keptValue(name, value)])) as Options;

function keptValue(name: string, value: unknown): unknown {
	if (Array.isArray(value) || (name === "localTools" && isIterable(value))) return [...value];
	// a schema that checks by itself is no data
	if (!isPlainRecord(value) || name === "model" || "~standard" in value) return value;
	if (name === "config") return kept(value);
	return DATA.has(name) ? plainCopy(value) : { ...value };
}

const isIterable = (value: unknown): value is Iterable<unknown> => typeof value === "object" && value !== null && Symbol.iterator in value;
