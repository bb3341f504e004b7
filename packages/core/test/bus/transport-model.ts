interface Place {
	readonly message: number;
	/** `waits` for room, `taken` until it is settled. */
	state: "waits" | "taken" | "settled";
}

interface Subscriber {
	readonly who: number;
	readonly channel: string;
	readonly capacity: number;
	readonly acksAtOnce: boolean;
	readonly places: Place[];
	isThere: boolean;
}

interface Published {
	readonly who: number;
	readonly canAbort: boolean;
	readonly recipients: number;
	answer: number | string | undefined;
}

/** What a transport has to do, without a thought for what it costs: everything is looked for anew each time. */
export class TransportModel {
	readonly #isOpen: boolean[] = [];
	readonly #subscribers: Subscriber[] = [];
	readonly #published: Published[] = [];
	readonly #told: string[][] = [];
	/** By subscriber, in order. */
	readonly #delivered: Place[][] = [];

	get told(): string[][] {
		return this.#told;
	}

	get delivered(): number[][] {
		return this.#delivered.map((places) => places.map(({ message }) => message));
	}

	get answers(): Record<string, number | string> {
		const answered = [...this.#published.entries()].flatMap(([number, { answer }]) =>
			answer === undefined ? [] : [[number, answer] as const],
		);
		return Object.fromEntries(answered);
	}

	get unanswered(): number[] {
		return [...this.#published.entries()].filter(([, { answer }]) => answer === undefined).map(([number]) => number);
	}

	isOpen(who: number): boolean {
		return this.#isOpen[who] === true;
	}

	connect(): void {
		this.#isOpen.push(true);
		this.#told.push([]);
	}

	subscribe(who: number, channel: string, capacity: number, acksAtOnce: boolean): void {
		this.#subscribers.push({ who, channel, capacity, acksAtOnce, places: [], isThere: this.isOpen(who) });
		this.#delivered.push([]);
	}

	publish(who: number, channel: string, canAbort: boolean): void {
		const message = this.#published.length;
		const there = this.#subscribers.filter((subscriber) => subscriber.isThere && subscriber.channel === channel);
		this.#published.push({ who, canAbort, recipients: there.length, answer: this.isOpen(who) ? undefined : "closed" });
		if (!this.isOpen(who)) return;
		for (const { places } of there) places.push({ message, state: "waits" });
		this.#goOn();
	}

	settle(subscriber: number, delivery: number, how: string): void {
		const place = this.#delivered[subscriber]?.[delivery];
		if (place?.state !== "taken") return;
		this.#end(place, how);
		this.#goOn();
	}

	unsubscribe(subscriber: number): void {
		const leaving = this.#subscribers[subscriber];
		if (leaving === undefined || !leaving.isThere) return;
		leaving.isThere = false;
		for (const place of leaving.places) if (place.state === "waits") this.#end(place, "left");
		this.#goOn();
	}

	close(who: number): void {
		if (!this.isOpen(who)) return;
		for (const [message, { who: sender }] of this.#published.entries()) if (sender === who) this.#withdraw(message, "closed");
		const own = this.#subscribers.filter((subscriber) => subscriber.who === who);
		for (const subscriber of own) subscriber.isThere = false;
		const places = this.#inOrderOfDelivery(own);
		for (const place of places) if (place.state === "taken") this.#end(place, "closed");
		for (const place of own.flatMap((subscriber) => subscriber.places)) if (place.state === "waits") this.#end(place, "closed");
		this.#isOpen[who] = false;
		this.#goOn();
	}

	/** @param message What was published with the signal. Aborted before it is published: nothing can abort it, as signals are made with it. */
	abort(message: number): void {
		if (this.#published[message]?.canAbort === true) this.#withdraw(message, "aborted");
	}

	#withdraw(message: number, answer: string): void {
		const published = this.#published[message];
		if (published === undefined || published.answer !== undefined) return;
		published.answer = answer;
		for (const place of this.#placesOf(message)) if (place.state === "waits") place.state = "settled";
	}

	#end(place: Place, how: string): void {
		place.state = "settled";
		const { who } = this.#published[place.message] ?? { who: -1 };
		if (this.isOpen(who)) this.#told[who]?.push(`${place.message} ${how}`);
	}

	/** Gives room, as long as there is some, and answers those that have all they wait for. */
	#goOn(): void {
		for (const [index, subscriber] of this.#subscribers.entries()) {
			if (!subscriber.isThere) continue;
			for (const place of subscriber.places) {
				const taken = subscriber.places.filter(({ state }) => state === "taken").length;
				if (place.state !== "waits" || taken >= subscriber.capacity) continue;
				place.state = "taken";
				this.#order.push(place);
				this.#delivered[index]?.push(place);
				if (subscriber.acksAtOnce) this.#end(place, "acked");
			}
		}
		for (const [message, published] of this.#published.entries()) {
			if (published.answer !== undefined) continue;
			if (this.#placesOf(message).every(({ state }) => state !== "waits")) published.answer = published.recipients;
		}
	}

	readonly #order: Place[] = [];

	#inOrderOfDelivery(subscribers: readonly Subscriber[]): Place[] {
		const own = new Set(subscribers.flatMap(({ places }) => places));
		return this.#order.filter((place) => own.has(place));
	}

	#placesOf(message: number): Place[] {
		return this.#subscribers.flatMap(({ places }) => places).filter((place) => place.message === message);
	}
}
