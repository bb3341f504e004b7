import type { BusConnection, BusListener, BusTransport, DeliveryOutcome } from "../../src/bus/bus-transport.js";
import type { MessageRecord } from "../../src/bus/robot-message.js";

/** A connection, and what it was told. */
export class Listener implements BusListener {
	readonly connection: BusConnection;
	readonly outcomes: DeliveryOutcome[] = [];
	readonly replies: MessageRecord[] = [];
	readonly lost: string[] = [];
	#isWanted = (): boolean => false;
	#onWanted = (): void => {};

	constructor(transport: BusTransport) {
		this.connection = transport.connect(this);
	}

	publish(to: string, content: MessageRecord["content"], signal?: AbortSignal): number | Promise<number> {
		return this.connection.publish({ id: this.connection.nextId(), from: "main", to, content }, signal);
	}

	/** Resolves as soon as it was told of so many outcomes. */
	settled(count: number): Promise<void> {
		return this.#until(() => this.outcomes.length >= count);
	}

	isLost(): Promise<void> {
		return this.#until(() => this.lost.length > 0);
	}

	onSettled(_: string, outcome: DeliveryOutcome): void {
		this.outcomes.push(outcome);
		this.#look();
	}

	onWaiting(): void {}

	onReply(message: MessageRecord): void {
		this.replies.push(message);
	}

	onLost(reason: string): void {
		this.lost.push(reason);
		this.#look();
	}

	#until(isWanted: () => boolean): Promise<void> {
		return new Promise((resolve) => {
			this.#isWanted = isWanted;
			this.#onWanted = resolve;
			this.#look();
		});
	}

	#look(): void {
		if (this.#isWanted()) this.#onWanted();
	}
}
