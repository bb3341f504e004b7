import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";
import type { RobotOptions } from "./robot-options.js";
import type { RobotSettings } from "./robot-settings.js";

// a record, so that one that is forgotten, or no longer there, does not compile
const SETTINGS: Readonly<Record<keyof RobotSettings, true>> = {
	model: true,
	provider: true,
	temperature: true,
	topP: true,
	topK: true,
	maxTokens: true,
	presencePenalty: true,
	frequencyPenalty: true,
	stop: true,
	seed: true,
	reasoning: true,
	headers: true,
	providerOptions: true,
	maxTools: true,
	maxToolRounds: true,
	retries: true,
	onContent: true,
	onToolCall: true,
	onToolResult: true,
};

const OWN: Readonly<Record<Exclude<keyof RobotOptions, keyof RobotSettings>, true>> = {
	name: true,
	description: true,
	systemPrompt: true,
	template: true,
	context: true,
	localTools: true,
	skills: true,
	matching: true,
	config: true,
};

export const SETTING_NAMES: readonly string[] = Object.keys(SETTINGS);
const OPTION_NAMES: readonly string[] = [...Object.keys(OWN), ...SETTING_NAMES];

/** Throws ConfigurationError for what no robot can be made of: an option that is unknown, no name, a prompt or a listener that is none. */
export function checkRobotOptions(options: RobotOptions): void {
	checkNames("new Robot()", options, OPTION_NAMES);
	if (options.config !== undefined) checkNames("new Robot(), config,", options.config, SETTING_NAMES);
	if (typeof options.name !== "string" || options.name.trim() === "") {
		throw new ConfigurationError('A robot needs a name: new Robot({ name: "…" }).');
	}
	for (const name of ["description", "systemPrompt"] as const) check(name, options[name], "string");
	for (const settings of [options, options.config ?? {}]) {
		for (const name of ["onContent", "onToolCall", "onToolResult"] as const) check(name, settings[name], "function");
	}
}

function check(name: string, value: unknown, type: "string" | "function"): void {
	if (value === undefined || typeof value === type) return;
	throw new ConfigurationError(`A robot's ${name} must be a ${type}, got ${describeValue(value)}.`);
}
