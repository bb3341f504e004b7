import { config as currentConfig } from "@robot-lab/core";
import { Bubblewrap } from "../bubblewrap/bubblewrap.js";
import { limiting } from "../limits/limiting.js";
import { Seatbelt } from "../seatbelt/seatbelt.js";
import { isEnabled, scrubsUnconfined } from "../strategy/enabled.js";
import type { Strategy } from "../strategy/strategy.js";
import type { Answerer } from "./answer.js";
import { readBox } from "./box.js";
import { bubblewrapAnswerer } from "./bubblewrap-answers.js";
import type { ExplainOptions, Explanation } from "./explanation.js";
import { gatherPreview, type Preview } from "./preview.js";
import { parseQuestion } from "./question.js";
import { seatbeltAnswerer } from "./seatbelt-answers.js";
import type { HostVariables } from "./surroundings.js";
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
	const { capabilities: declared, questions = [], config = currentConfig() } = options;
	const asked = questions.map((text) => ({ text, question: parseQuestion(text) }));
	const preview = gatherPreview({ ...options, config });
	const { ceiling, surroundings } = preview;
	const { grant, platform } = surroundings;
	const enabled = isEnabled(config);
	const strategy = enabled ? preview.choose(surroundings.environment(process.env)) : undefined;
	const name = strategy?.name ?? "none";
	const answer = answererOf(strategy, preview) ?? unconfinedAnswerer(surroundings, scrubsUnconfined(config));
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

function answererOf(strategy: Strategy | undefined, { choose, surroundings }: Preview): Answerer | undefined {
	if (strategy instanceof Seatbelt) return seatbeltAnswerer(strategy.profile, surroundings);
	if (!(strategy instanceof Bubblewrap)) return undefined;
	const variablesFor = (host: HostVariables): Readonly<Record<string, string>> => {
		const other = choose(surroundings.environment(host));
		return other instanceof Bubblewrap ? Object.fromEntries(readBox(other.options).variables) : {};
	};
	return bubblewrapAnswerer(readBox(strategy.options), { ...surroundings, environment: variablesFor });
}
