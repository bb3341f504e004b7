import type { Capabilities } from "../capability/capabilities.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { warnOnce } from "../errors/warn-once.js";
import { checkNames } from "../options/check-options.js";
import { ABORTED } from "../process/unless-aborted.js";
import type { ScriptRefusal } from "../stream/script-outcome.js";
import { describeValue } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";
import type { ToolContext } from "../tool/tool.js";
import { frozenCopy } from "../value/frozen-copy.js";
import { type ApprovalMemory, memoryFor } from "./approval-memory.js";
import type { ApprovalRequest, Approve } from "./approval-request.js";
import { type Approval, approvalWith, readApproval, usualStore, writeApproval } from "./approval-store.js";
import { bundleChanges, changesText } from "./bundle-changes.js";
import { type KnownBundle, readBundle } from "./bundle-digest.js";
import { covers, grantNow, type PinnedGrant } from "./pinned-grant.js";
import { publishQuestion } from "./publish-question.js";
import { SharedQuestion } from "./shared-question.js";
import { checkLock, differenceText, lockDifference, type SkillLock } from "./skill-lock.js";

export interface ApprovalOptions {
	/** Is asked before the first script of a bundle runs that nobody approved as it is. Left out: only the lock decides. */
	readonly approve?: Approve | undefined;
	/** Bundles that are not in it, or not as it says, do not run, whatever was or would be approved. It lets nothing run by itself where `approve` is given. */
	readonly lock?: SkillLock | undefined;
	/** The directory where `always` is kept. Nobody else may be able to write there. Default `~/.local/state/robot_lab/approvals`. */
	readonly store?: string | undefined;
}

/** The part of a skill that counts here. */
export interface ApprovableSkill {
	readonly name: string;
	readonly path: string;
	readonly capabilities: Capabilities;
}

/** A script that is about to run. */
export interface ScriptCall {
	/** The name of its tool. */
	readonly tool: string;
	readonly input: unknown;
}

const OPTIONS: readonly (keyof ApprovalOptions)[] = ["approve", "lock", "store"];

/** How often a bundle may change between the question and the answer. */
const MAX_QUESTIONS = 3;

/** Throws a ConfigurationError for options that are unknown or none, and where neither `approve` nor `lock` decides. */
export function checkApprovalOptions(what: string, options: ApprovalOptions): void {
	checkNames(what, options, OPTIONS);
	const { approve, lock, store } = options;
	if (approve !== undefined && typeof approve !== "function")
		throw new ConfigurationError(`${what} takes as approve a function, got ${describeValue(approve)}.`);
	checkLock(what, lock);
	if (store !== undefined && (typeof store !== "string" || store === ""))
		throw new ConfigurationError(`${what} takes as store the path of a directory, got ${describeValue(store)}.`);
	if (approve === undefined && lock === undefined)
		throw new ConfigurationError(`${what} needs approve, a function that decides, or lock, what may run.`);
}

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
	context: Pick<ToolContext, "signal" | "run" | "toolCallId"> = {},
): Promise<ScriptRefusal | undefined> {
	checkApprovalOptions("approvalRefusal()", options);
	if (skill.capabilities.isCore) return undefined;
	try {
		const why = await new Check(skill, call, options, context).reason();
		return why === undefined ? undefined : refused(`The skill ${describeValue(skill.name)} ${why}`);
	} catch (error) {
		return refused(context.signal?.aborted ? CALLED_OFF : messageOf(error));
	}
}

const refused = (message: string): ScriptRefusal => ({ code: "not_approved", message: `${message} Nothing was run.` });

const CALLED_OFF = "The run was aborted before anybody answered.";

/** One look at one bundle, right before one of its scripts runs. */
class Check {
	readonly #skill: ApprovableSkill;
	readonly #call: ScriptCall;
	readonly #options: ApprovalOptions;
	readonly #context: Pick<ToolContext, "signal" | "run" | "toolCallId">;
	readonly #memory: ApprovalMemory;

	constructor(
		skill: ApprovableSkill,
		call: ScriptCall,
		options: ApprovalOptions,
		context: Pick<ToolContext, "signal" | "run" | "toolCallId">,
	) {
		this.#skill = skill;
		this.#call = call;
		this.#options = options;
		this.#context = context;
		this.#memory = memoryFor((options.approve ?? options.lock) as object);
	}

	/** Why it must not run, as a sentence about the skill. What was approved is read again: it may have been changed while the question was open. */
	async reason(): Promise<string | undefined> {
		for (let asked = 0; ; asked++) {
			const bundle = await this.#read();
			const { lock, approve } = this.#options;
			const difference = lock && lockDifference(lock, this.#skill.name, bundle);
			if (difference !== undefined) return `${differenceText(difference)}. If that is right, lock it anew: robot-lab skills lock.`;
			if (approve === undefined) return undefined;
			const request = await this.#request(bundle);
			if (request === undefined) return undefined;
			if (asked === MAX_QUESTIONS) return "was changed again and again while somebody was asked about it. Find out who does that.";
			const denial = await this.#ask(approve, request, bundle);
			if (denial !== undefined) return denial;
		}
	}

	async #read(): Promise<KnownBundle> {
		const { path } = this.#skill;
		const bundle = await readBundle(path, { known: this.#memory.bundles.get(path), signal: this.#context.signal });
		this.#memory.bundles.set(path, bundle);
		return bundle;
	}

	/** What is to be asked; `undefined`: it is approved. */
	async #request(bundle: KnownBundle): Promise<Asked | undefined> {
		const { name, capabilities } = this.#skill;
		const { grant, pinned } = grantNow(capabilities);
		const mine = this.#memory.approvals.get(bundle.path);
		if (isApproved(mine, name, bundle, pinned)) return undefined;
		const kept = await readApproval(this.#store, bundle.path);
		if (isApproved(kept, name, bundle, pinned)) return undefined;
		const before = [mine, kept].find((approval) => approval?.digest === bundle.digest && approval.name === name) ?? mine ?? kept;
		const isSame = before?.digest === bundle.digest && before.name === name;
		const { path, digest, files } = bundle;
		const request: ApprovalRequest = Object.freeze({
			skill: name,
			path,
			digest,
			files,
			declared: capabilities,
			grant,
			confined: pinned.confined,
			tool: this.#call.tool,
			input: frozenCopy(this.#call.input),
			reason: before === undefined ? "first_run" : isSame ? "wider_grant" : "files_changed",
			changes: bundleChanges(before === undefined || isSame ? files : before.files, files),
		});
		return { request, pinned };
	}

	/** Why it must not run; `undefined`: somebody said that it may. */
	async #ask(approve: Approve, asked: Asked, { path, digest }: KnownBundle): Promise<string | undefined> {
		const { questions } = this.#memory;
		const key = JSON.stringify([this.#skill.name, path, digest, asked.pinned]);
		const open =
			questions.get(key) ??
			new SharedQuestion(
				(signal) => this.#answer(approve, asked, signal),
				() => questions.delete(key),
			);
		questions.set(key, open);
		const answer = await publishQuestion(asked.request, this.#context, () => open.wait(this.#context.signal));
		if (answer === ABORTED) throw this.#context.signal?.reason;
		return answer;
	}

	async #answer(approve: Approve, { request, pinned }: Asked, signal: AbortSignal): Promise<string | undefined> {
		let answer: unknown;
		try {
			answer = await approve(request, { signal });
		} catch (error) {
			return `was not approved: who was asked failed: ${messageOf(error)}.`;
		}
		if (signal.aborted) return "was not approved in time.";
		if (answer === "once" || answer === "always") return this.#approved(request, pinned, answer === "always");
		return denialOf(answer, request);
	}

	async #approved({ skill: name, path, digest, files }: ApprovalRequest, grant: PinnedGrant, isForGood: boolean): Promise<undefined> {
		const approved = { name, path, digest, files };
		this.#memory.approvals.set(path, approvalWith(this.#memory.approvals.get(path), approved, grant));
		if (!isForGood) return;
		try {
			const store = this.#store;
			await writeApproval(store, approvalWith(await readApproval(store, path), approved, grant));
		} catch (error) {
			warnOnce(
				`approval of ${path}`,
				`That ${JSON.stringify(path)} was approved for good counts in this process only: ${messageOf(error)}`,
				"ROBOT_LAB_APPROVAL_NOT_KEPT",
			);
		}
	}

	get #store(): string {
		return this.#options.store ?? usualStore();
	}
}

interface Asked {
	readonly request: ApprovalRequest;
	readonly pinned: PinnedGrant;
}

const isApproved = (approval: Approval | undefined, name: string, { digest }: KnownBundle, now: PinnedGrant): boolean =>
	approval?.digest === digest && approval.name === name && approval.grants.some((grant) => covers(grant, now));

function denialOf(answer: unknown, { reason, changes }: ApprovalRequest): string {
	const { deny } = (typeof answer === "object" && answer !== null ? answer : {}) as { readonly deny?: unknown };
	if (typeof deny === "string") return `was not approved: ${messageOf(deny).replace(/(?<![.!?])$/, ".")}`;
	if (answer !== "deny")
		return `was not approved: who was asked answered ${describeValue(answer)}, which is none of once, always and deny.`;
	const since = reason === "files_changed" ? `, after it had been changed (${changesText(changes)})` : "";
	return `was not approved${since}: the person who was asked said no. Do without it.`;
}
