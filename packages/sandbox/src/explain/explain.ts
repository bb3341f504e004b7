import { Capabilities, type Config, config as currentConfig } from "@robot-lab/core";
import { Bubblewrap } from "../bubblewrap/bubblewrap.js";
import { chooseStrategy } from "../choose.js";
import { isEnabled, scrubsUnconfined } from "../enabled.js";
import { checkTrustedGround } from "../grant/trusted-ground.js";
import { limiting } from "../limits/limiting.js";
import { Seatbelt } from "../seatbelt/seatbelt.js";
import type { Strategy } from "../strategy.js";
import type { Answerer } from "./answer.js";
import { readBox } from "./box.js";
import { bubblewrapAnswerer } from "./bubblewrap-answers.js";
import type { ExplainOptions, Explanation } from "./explanation.js";
import { gatherSurroundings } from "./gather-surroundings.js";
import { parseQuestion } from "./question.js";
import { seatbeltAnswerer } from "./seatbelt-answers.js";
import type { HostVariables, Surroundings } from "./surroundings.js";
import { unconfinedAnswerer } from "./unconfined-answers.js";
import { limitNotes, obstacleTo, whyStrategy } from "./why-strategy.js";

/**
 * Says what a script would be given and answers questions about it, from the very rules that would confine it. Looks at the file system,
 * changes nothing and runs nothing of the bundle's; for this platform it tries, once in a process, whether confinement works.
 *
 * Rejects with a SandboxUnavailableError where what is granted or configured keeps the script from being run, and with a
 * ConfigurationError (`question_unknown`) for a question nobody understands.
 */
export async function explain(options: ExplainOptions): Promise<Explanation> {
	const { capabilities: declared, skillDir, questions = [], platform = process.platform, config = currentConfig() } = options;
	const asked = questions.map((text) => ({ text, question: parseQuestion(text) }));
	const ceiling = Capabilities.ceiling(config);
	const grant = declared.intersect(ceiling);
	const surroundings = gatherSurroundings({ declared, grant, skillDir, cwd: options.cwd, platform, config });
	const choose = chooserOf(options, surroundings, config);
	const enabled = isEnabled(config);
	const strategy = enabled ? choose(surroundings.environment(process.env)) : undefined;
	const name = strategy?.name ?? "none";
	if (name !== "none") checkTrustedGround(grant, config);
	const answer = answererOf(strategy, choose, surroundings) ?? unconfinedAnswerer(surroundings, scrubsUnconfined(config));
	const isHere = platform === process.platform;
	const obstacle = isHere ? await obstacleTo(strategy) : undefined;
	// Rejects where a limit cannot be held, as a run would.
	if (isHere && enabled && obstacle === undefined) await limiting({ limits: grant.limits, strategy: name, platform });
	return {
		platform,
		strategy: name,
		because: whyStrategy(name, grant, platform, config),
		...(obstacle !== undefined && { obstacle }),
		declared,
		ceiling,
		grant,
		notes: [...(strategy instanceof Bubblewrap ? strategy.notes : []), ...limitNotes(grant, enabled, platform)],
		answers: asked.map(({ text, question }) => ({ question: text, ...answer(question) })),
	};
}

type Chooser = (environment: Readonly<Record<string, string>>) => Strategy;

function chooserOf(options: ExplainOptions, surroundings: Surroundings, config: Config): Chooser {
	const { capabilities, skillDir, command, hostFacts, bubblewrapHost } = options;
	const { grant, cwd, scratchDir, platform } = surroundings;
	const spellings = [...capabilities.fsRead, ...capabilities.fsWrite];
	const known = { ...(command && { command }), ...(hostFacts && { hostFacts }), ...(bubblewrapHost && { bubblewrapHost }) };
	return (environment) => {
		const searchPath = environment.PATH ?? "";
		return chooseStrategy(grant, { skillDir, cwd, scratchDir, platform, config, environment, searchPath, spellings, ...known });
	};
}

function answererOf(strategy: Strategy | undefined, choose: Chooser, surroundings: Surroundings): Answerer | undefined {
	if (strategy instanceof Seatbelt) return seatbeltAnswerer(strategy.profile, surroundings);
	if (!(strategy instanceof Bubblewrap)) return undefined;
	const variablesFor = (host: HostVariables): Readonly<Record<string, string>> => {
		const other = choose(surroundings.environment(host));
		return other instanceof Bubblewrap ? Object.fromEntries(readBox(other.arguments).variables) : {};
	};
	return bubblewrapAnswerer(readBox(strategy.arguments), { ...surroundings, environment: variablesFor });
}
