import type { ScriptRefusal } from "../stream/script-outcome.js";
import { describeValue } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";
import { ApprovalCheck, type AskingContext } from "./approval-check.js";
import { type ApprovableSkill, type ApprovalOptions, checkApprovalOptions, type ScriptCall } from "./approval-options.js";

/**
 * Why a script must not run now: `not_approved`, with what is to be done; `undefined`: it may. To be asked right before it runs, each time. Bundles that
 * the host trusts (`trust: core`) are not asked about.
 *
 * Throws a ConfigurationError for options that are none, and nothing else: what cannot be found out is a refusal.
 */
export async function approvalRefusal(
	skill: ApprovableSkill,
	call: ScriptCall,
	options: ApprovalOptions,
	context: AskingContext = {},
): Promise<ScriptRefusal | undefined> {
	checkApprovalOptions("approvalRefusal()", options);
	if (skill.capabilities.isCore) return undefined;
	try {
		const why = await new ApprovalCheck(skill, call, options, context).reason();
		return why === undefined ? undefined : refused(`The skill ${describeValue(skill.name)} ${why}`);
	} catch (error) {
		return refused(context.signal?.aborted ? CALLED_OFF : messageOf(error));
	}
}

const refused = (message: string): ScriptRefusal => ({ code: "not_approved", message: `${message} Nothing was run.` });

const CALLED_OFF = "The run was aborted before anybody answered.";
