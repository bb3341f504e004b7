import fc from "fast-check";

/** Milliseconds in which handlers, retries and answers are measured here, by a clock that only the schedule sets. */
export const UNIT_MS = 10;

/** What a handler does with one attempt. All but the last two have come to their end when it returns. */
export const MANNERS = ["returns", "acks", "nacks", "throws", "answers", "sends", "leaves", "holds", "asks"] as const;
export type Manner = (typeof MANNERS)[number];

export const NAMES = ["a", "b", "c"] as const;

export interface Limits {
	readonly maxAttempts: number;
	readonly retryDelay: number;
	readonly ackTimeout: number;
}

export interface HandlerPlan {
	readonly kind: "messages" | "tasks";
	readonly ack: "auto" | "manual";
	/** Instead of the bus's. Who has these keeps its handler. */
	readonly limits?: Limits | undefined;
}

/** One thing that somebody does. Numbers choose among those that are there. What is `rushed` has the next one at its heels. */
export type Step = { readonly isRushed: boolean } & (
	| {
			readonly kind: "send";
			readonly who: number;
			readonly to: string;
			readonly canAbort: boolean;
			/** Units until whoever waits for the answer has waited for too long. */
			readonly asks?: number | undefined;
			/** Of its recipients, by attempt. */
			readonly manners: readonly Manner[];
	  }
	| { readonly kind: "reply"; readonly who: number; readonly which: number; readonly isForged: boolean }
	| { readonly kind: "abort"; readonly which: number }
	| { readonly kind: "act"; readonly which: number; readonly act: "ack" | "nack" | "extend" | "reply" }
	| { readonly kind: "end"; readonly which: number; readonly how: "returns" | "throws" | "answers" }
	| { readonly kind: "leave" | "mute" | "listen"; readonly who: number }
	| { readonly kind: "move"; readonly who: number; readonly bus: number }
	| { readonly kind: "close"; readonly bus: number }
	| { readonly kind: "wait"; readonly units: number }
);

export interface Plan {
	readonly isLogged: boolean;
	readonly buses: readonly (Limits & { readonly capacity: number })[];
	readonly members: readonly { readonly name: string; readonly bus: number; readonly handler?: HandlerPlan | undefined }[];
	readonly steps: readonly Step[];
}

const number = fc.nat(1_000);
const sometimes = fc.integer({ min: 0, max: 3 }).map((rolled) => rolled === 3);
const kind = <Kind extends string>(...kinds: readonly Kind[]): fc.Arbitrary<Kind> => fc.constantFrom(...kinds);

const limits = fc.record({
	maxAttempts: fc.integer({ min: 1, max: 3 }),
	retryDelay: fc.integer({ min: 0, max: 2 }),
	ackTimeout: fc.integer({ min: 1, max: 4 }),
});

const handler: fc.Arbitrary<HandlerPlan> = fc.record({
	kind: kind("messages", "tasks"),
	ack: kind("auto", "manual"),
	limits: fc.option(limits, { nil: undefined, freq: 3 }),
});

const manner = fc.oneof({ weight: 4, arbitrary: fc.constant("holds" as const) }, { weight: 9, arbitrary: kind(...MANNERS) });

const isRushed = sometimes;
const step = fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
	{
		weight: 14,
		arbitrary: fc.record({
			kind: kind("send"),
			who: number,
			to: fc.oneof({ weight: 20, arbitrary: kind<string>(...NAMES) }, { weight: 1, arbitrary: fc.constant("nobody") }),
			canAbort: fc.boolean(),
			asks: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
			manners: fc.array(manner, { minLength: 1, maxLength: 3 }),
			isRushed,
		}),
	},
	{ weight: 2, arbitrary: fc.record({ kind: kind("reply"), who: number, which: number, isForged: sometimes, isRushed }) },
	{ weight: 1, arbitrary: fc.record({ kind: kind("abort"), which: number, isRushed }) },
	{ weight: 5, arbitrary: fc.record({ kind: kind("act"), which: number, act: kind("ack", "nack", "extend", "reply"), isRushed }) },
	{ weight: 6, arbitrary: fc.record({ kind: kind("end"), which: number, how: kind("returns", "throws", "answers"), isRushed }) },
	{ weight: 2, arbitrary: fc.record({ kind: kind("leave", "mute", "listen"), who: number, isRushed }) },
	{ weight: 2, arbitrary: fc.record({ kind: kind("move"), who: number, bus: number, isRushed }) },
	{ weight: 1, arbitrary: fc.record({ kind: kind("close"), bus: number, isRushed }) },
	{ weight: 4, arbitrary: fc.record({ kind: kind("wait"), units: fc.integer({ min: 1, max: 3 }), isRushed: fc.constant(false) }) },
);

export const plans: fc.Arbitrary<Plan> = fc.record({
	isLogged: fc.boolean(),
	buses: fc.array(
		fc.tuple(limits, fc.integer({ min: 1, max: 3 })).map(([limit, capacity]) => ({ ...limit, capacity })),
		{ minLength: 1, maxLength: 3 },
	),
	members: fc.array(fc.record({ name: kind(...NAMES), bus: number, handler: fc.option(handler, { nil: undefined, freq: 6 }) }), {
		minLength: 2,
		maxLength: 6,
	}),
	steps: fc.array(step, { minLength: 1, maxLength: 40, size: "max" }),
});
