import type { ScriptRefusal } from "../stream/script-outcome.js";
import { describeValue } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";
import { ApprovalCheck, type AskingContext } from "./approval-check.js";
import { type ApprovableSkill, type ApprovalOptions, checkApprovalOptions, type ScriptCall } from "./approval-options.js";

/** Where a script may run, or why it must not. */
export type ScriptApproval =
	| {
			/** The bundle's directory that was approved, real. A script is to be looked at and started there: a link that leads to it may lead elsewhere by then. */
			readonly directory: string;
			readonly refusal?: never;
	  }
	| {
			/** `not_approved`, with what is to be done. */
			readonly refusal: ScriptRefusal;
			readonly directory?: never;
	  };

/**
 * Whether a script may run now. To be asked right before it runs, each time. Bundles that the host trusts (`trust: core`) are not asked about; a lock holds for
 * them, too.
 *
 * Throws a ConfigurationError for options that are none, and nothing else: what cannot be found out is a refusal.
 */
export async function approveScript(
	skill: ApprovableSkill,
	call: ScriptCall,
	options: ApprovalOptions,
	context: AskingContext = {},
): Promise<ScriptApproval> {
	checkApprovalOptions("approveScript()", options);
	if (skill.capabilities.isCore && options.lock === undefined) return { directory: skill.path };
	try {
		const checked = await new ApprovalCheck(skill, call, options, context).check();
		return checked.reason === undefined ? checked : refused(`The skill ${describeValue(skill.name)} ${checked.reason}`);
	} catch (error) {
		return refused(context.signal?.aborted ? CALLED_OFF : messageOf(error));
	}
}

const refused = (message: string): ScriptApproval => ({ refusal: { code: "not_approved", message: `${message} Nothing was run.` } });

const CALLED_OFF = "The run was aborted before anybody answered.";
