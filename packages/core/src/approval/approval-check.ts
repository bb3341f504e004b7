import { resolve } from "node:path";
import { warnOnce } from "../errors/warn-once.js";
import { SharedComputation } from "../process/shared-computation.js";
import { messageOf } from "../text/message-of.js";
import type { ToolContext } from "../tool/tool.js";
import { frozenCopy } from "../value/frozen-copy.js";
import { type ApprovalMemory, memoryFor } from "./approval-memory.js";
import type { ApprovableSkill, ApprovalOptions, ScriptCall } from "./approval-options.js";
import type { ApprovalRequest, Approve } from "./approval-request.js";
import { type Approval, approvalWith, readApproval, usualStore, writeApproval } from "./approval-store.js";
import { bundleChanges } from "./bundle-changes.js";
import { type KnownBundle, readBundle } from "./bundle-digest.js";
import { denialOf } from "./denial.js";
import { covers, grantNow, type PinnedGrant } from "./pinned-grant.js";
import { publishQuestion } from "./publish-question.js";
import { differenceText, lockDifference } from "./skill-lock.js";

/** How often a bundle may change between the question and the answer. */
const MAX_QUESTIONS = 3;

/** The part of a call's context that counts here. */
export type AskingContext = Pick<ToolContext, "signal" | "run" | "toolCallId">;

/** One look at one bundle, right before one of its scripts runs. */
export class ApprovalCheck {
	readonly #skill: ApprovableSkill;
	readonly #call: ScriptCall;
	readonly #options: ApprovalOptions;
	readonly #context: AskingContext;
	/** Absolute. Of a lock alone empty: nobody is asked. */
	readonly #store: string;
	readonly #memory: ApprovalMemory;

	constructor(skill: ApprovableSkill, call: ScriptCall, options: ApprovalOptions, context: AskingContext) {
		this.#skill = skill;
		this.#call = call;
		this.#options = options;
		this.#context = context;
		const { approve, lock, store } = options;
		this.#store = approve === undefined ? "" : resolve(store ?? usualStore());
		this.#memory = memoryFor((approve ?? lock) as object, this.#store);
	}

	/** What was approved is read again: it may have been changed while the question was open. */
	async check(): Promise<CheckedBundle> {
		for (let asked = 0; ; asked++) {
			const bundle = await this.#read();
			const { lock, approve } = this.#options;
			const difference = lock && lockDifference(lock, this.#skill, bundle);
			if (difference !== undefined)
				return { reason: `${differenceText(difference)}. If that is right, lock it anew: robot-lab skills lock.` };
			if (approve === undefined || this.#skill.capabilities.isCore) return { directory: bundle.path };
			const request = await this.#request(bundle);
			if (request === undefined) return { directory: bundle.path };
			if (asked === MAX_QUESTIONS) return { reason: CHANGING };
			const denial = await this.#ask(approve, request, bundle);
			if (denial !== undefined) return { reason: denial };
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
			declared: this.#skill.declared ?? capabilities,
			grant,
			confined: pinned.confined,
			tool: this.#call.tool,
			input: frozenCopy(this.#call.input),
			reason: before === undefined ? "first_run" : isSame ? "wider_grant" : "files_changed",
			changes: bundleChanges(before === undefined || isSame ? files : before.files, files),
		});
		return { request, pinned };
	}

	/** Why it must not run; `undefined`: somebody said that it may. Rejects with the signal's reason. */
	#ask(approve: Approve, asked: Asked, { path, digest }: KnownBundle): Promise<string | undefined> {
		const key = JSON.stringify([this.#skill.name, path, digest, asked.pinned]);
		const { signal } = this.#context;
		return publishQuestion(asked.request, this.#context, async () => {
			signal?.throwIfAborted();
			return (this.#memory.questions.get(key) ?? this.#open(key, approve, asked)).wait(signal);
		});
	}

	/** One question for all calls that wait for it. Whoever comes when it is answered or called off asks again. */
	#open(key: string, approve: Approve, asked: Asked): SharedComputation<string | undefined> {
		const { questions } = this.#memory;
		const close = (): void => {
			if (questions.get(key) === question) questions.delete(key);
		};
		const answer = (signal: AbortSignal) => this.#answer(approve, asked, signal).finally(close);
		const question = new SharedComputation(answer, close);
		questions.set(key, question);
		return question;
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
			await writeApproval(this.#store, approvalWith(await readApproval(this.#store, path), approved, grant));
		} catch (error) {
			warnOnce(
				`approval of ${path}`,
				`That ${JSON.stringify(path)} was approved for good counts in this process only: ${messageOf(error)}`,
				"ROBOT_LAB_APPROVAL_NOT_KEPT",
			);
		}
	}
}

const CHANGING = "was changed again and again while somebody was asked about it. Find out who does that.";

/** The directory that may be run in, real, or why nothing may, as a sentence about the skill. */
type CheckedBundle = { readonly directory: string; readonly reason?: never } | { readonly reason: string; readonly directory?: never };

interface Asked {
	readonly request: ApprovalRequest;
	readonly pinned: PinnedGrant;
}

const isApproved = (approval: Approval | undefined, name: string, { digest }: KnownBundle, now: PinnedGrant): boolean =>
	approval?.digest === digest && approval.name === name && approval.grants.some((grant) => covers(grant, now));
