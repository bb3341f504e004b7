import type { AgentSkill } from "../skill/agent-skill.js";
import type { RunPublisher } from "../stream/run-publisher.js";

/** Codes of the diagnostics that tell of something a run lacks. The others are for the bundle's author. */
const SHORTCOMINGS: ReadonlySet<string> = new Set([
	"script_not_executable",
	"script_unreadable",
	"script_outside_bundle",
	"script_parameters_malformed",
	"scripts_unreadable",
	"scripts_not_all",
	"capability_malformed",
]);

/** Tells the log what of a skill in the run cannot be used as it is written. */
export async function tellShortcomings(skill: AgentSkill, run: RunPublisher): Promise<void> {
	// what scripts need of this computer is said when one is called, and looking for it costs more than all else that a message costs
	const known = await skill.diagnostics({ needs: false });
	for (const { code, message } of known) {
		if (SHORTCOMINGS.has(code)) run.tell("metadata.updated", { type: "warning", message, skill: skill.name });
	}
}
