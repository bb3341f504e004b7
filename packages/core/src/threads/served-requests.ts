import { RobotLabError } from "../errors/robot-lab-error.js";
import { messageOf } from "../text/message-of.js";
import { type HostMessage, WITHDRAWN } from "./bus-protocol.js";

type Answer = number | readonly string[] | undefined;

export interface ServedRequestsOptions {
	/** The name of the connection that asks. */
	readonly connection: string;
	readonly tell: (message: HostMessage) => void;
	/** More of them wait, or fewer. */
	readonly onChange: () => void;
}

/** What one connection of another thread has asked, and how it is answered. */
export class ServedRequests {
	readonly #options: ServedRequestsOptions;
	/** Those that wait for something, with what gives them up where that may be asked. */
	readonly #waiting: Map<number, AbortController | undefined> = new Map();

	constructor(options: ServedRequestsOptions) {
		this.#options = options;
	}

	/** How many wait for something. */
	get size(): number {
		return this.#waiting.size;
	}

	/**
	 * Answers what is asked, or refuses it with what that fails with. What is there at once is answered before anything else is heard. Never rejects.
	 *
	 * @param canAbort Whether it may be withdrawn.
	 */
	async answer(request: number, ask: (signal: AbortSignal | undefined) => Answer | Promise<Answer>, canAbort = false): Promise<void> {
		const controller = canAbort ? new AbortController() : undefined;
		try {
			const asked = ask(controller?.signal);
			if (asked === undefined || typeof asked === "number" || Array.isArray(asked)) this.#answer(request, asked as Answer);
			else this.#answer(request, await this.#wait(request, controller, asked as Promise<Answer>));
		} catch (error) {
			this.#refuse(request, error);
		}
	}

	/** Harmless where it is answered already. */
	withdraw(request: number): void {
		this.#waiting.get(request)?.abort(new RobotLabError(WITHDRAWN, "It was given up."));
	}

	async #wait(request: number, controller: AbortController | undefined, asked: Promise<Answer>): Promise<Answer> {
		this.#waiting.set(request, controller);
		this.#options.onChange();
		try {
			return await asked;
		} finally {
			this.#waiting.delete(request);
			this.#options.onChange();
		}
	}

	#answer(request: number, value: Answer): void {
		this.#options.tell({ kind: "answer", connection: this.#options.connection, request, ...(value === undefined ? {} : { value }) });
	}

	#refuse(request: number, error: unknown): void {
		const code = RobotLabError.isInstance(error) ? error.code : "unexpected";
		this.#options.tell({ kind: "refusal", connection: this.#options.connection, request, code, message: messageOf(error) });
	}
}
