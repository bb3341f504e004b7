import { type HandlerPlan, MANNERS, type Manner, type Plan, type Step } from "./bus-schedule.js";

type StepOf<Kind extends Step["kind"]> = Extract<Step, { readonly kind: Kind }>;

const send = (who: number, to: string, manners: readonly Manner[], more: Partial<StepOf<"send">> = {}): Step => ({
	...{ kind: "send", who, to, manners, canAbort: false, isRushed: false },
	...more,
});
/** With the first that can be settled. */
const act = (act: StepOf<"act">["act"]): Step => ({ kind: "act", which: 1, act, isRushed: false });
/** With the first of all. */
const tooLate = (act: StepOf<"act">["act"]): Step => ({ kind: "act", which: 0, act, isRushed: false });
const end = (how: StepOf<"end">["how"], isRushed = false): Step => ({ kind: "end", which: 0, how, isRushed });
const wait = (units: number): Step => ({ kind: "wait", units, isRushed: false });
const who = (kind: "leave" | "mute" | "listen", who: number, isRushed = false): Step => ({ kind, who, isRushed });
const move = (who: number, bus: number): Step => ({ kind: "move", who, bus, isRushed: false });
const close = (bus: number): Step => ({ kind: "close", bus, isRushed: false });

const auto: HandlerPlan = { kind: "messages", ack: "auto" };
const tasks: HandlerPlan = { kind: "tasks", ack: "auto" };
const manual: HandlerPlan = { kind: "messages", ack: "manual" };

const ONCE = { maxAttempts: 1, retryDelay: 0, ackTimeout: 2, capacity: 1 };
const TWICE = { maxAttempts: 2, retryDelay: 1, ackTimeout: 2, capacity: 3 };

/** `a` of one bus and `b` of another, which has a handler. */
const pair = (limits: Plan["buses"][number], handler: HandlerPlan, steps: readonly Step[]): Plan => ({
	isLogged: true,
	buses: [limits, limits],
	members: [
		{ name: "a", bus: 0, handler: auto },
		{ name: "b", bus: 1, handler },
	],
	steps,
});

/** Schedules that reach what a random one may not. */
export const EXAMPLES: Readonly<Record<string, Plan>> = {
	"a handler in all manners": pair(TWICE, tasks, [
		...MANNERS.filter((manner) => manner !== "leaves").flatMap((manner) => [send(0, "b", [manner], { asks: 5 }), wait(1)]),
		...[wait(3), wait(3), wait(3), wait(3), wait(3), wait(3), send(0, "b", ["leaves"])],
	]),
	"a handler that settles by hand, twice and too late": pair(ONCE, manual, [
		...[send(0, "b", ["holds"]), act("extend"), act("reply"), act("ack"), act("ack"), end("returns"), tooLate("nack")],
		...[send(0, "b", ["returns"]), wait(3), send(0, "b", ["holds"]), send(0, "b", ["returns"]), act("ack"), end("returns"), act("nack")],
		...[send(0, "b", ["holds"]), wait(3), end("throws"), tooLate("ack")],
	]),
	"handlers that end as others go on": pair(TWICE, auto, [
		...[send(0, "b", ["holds", "returns"]), send(0, "b", ["holds"], { isRushed: true }), end("throws", true), act("nack"), wait(2)],
		...[send(0, "b", ["holds"]), send(0, "b", ["holds"]), end("returns", true), who("leave", 1)],
	]),
	"who leaves, moves and comes back": pair(ONCE, auto, [
		...[send(0, "b", ["holds"]), send(0, "b", ["returns"]), who("leave", 1), send(0, "b", ["returns"]), send(1, "a", ["returns"])],
		...[move(1, 0), send(0, "b", ["throws"]), send(1, "a", ["nacks"]), move(1, 1), send(0, "b", ["returns"]), send(0, "nobody", [])],
	]),
	"a bus that is closed as its messages are handled": pair(ONCE, auto, [
		...[send(0, "a", ["returns"], { asks: 5 }), send(0, "b", ["holds"]), send(0, "b", ["returns"]), send(0, "a", ["holds"])],
		...[send(1, "a", ["returns"]), close(0), send(0, "b", ["returns"]), send(1, "a", ["returns"])],
	]),
	"who gives up as it waits for room": pair(ONCE, auto, [
		...[send(0, "b", ["holds"]), send(0, "b", ["returns"], { canAbort: true })],
		...[{ kind: "abort", which: 0, isRushed: false } as const, end("returns"), send(0, "b", ["returns"], { canAbort: true })],
	]),
	"a handler that is taken away": pair(TWICE, auto, [
		...[send(0, "b", ["holds"]), send(0, "b", ["returns"], { asks: 2 }), who("mute", 1), end("throws"), wait(2)],
		...[send(0, "b", ["returns"], { isRushed: true }), who("listen", 1), send(0, "b", ["returns"])],
	]),
	"answers that come, are late, or never come": pair(TWICE, tasks, [
		...[send(0, "b", ["holds"], { asks: 0 }), wait(1), end("answers"), send(0, "b", ["returns"], { asks: 1 }), wait(3)],
		...[{ kind: "reply", who: 0, which: 0, isForged: false, isRushed: false } as const, send(0, "b", ["answers"], { asks: 1 })],
		...[{ kind: "reply", who: 0, which: 0, isForged: true, isRushed: false } as const],
	]),
	"a name that several have": {
		isLogged: true,
		buses: [ONCE, TWICE],
		members: [
			{ name: "a", bus: 0, handler: auto },
			{ name: "a", bus: 1, handler: { ...auto, limits: { maxAttempts: 3, retryDelay: 2, ackTimeout: 1 } } },
			{ name: "a", bus: 1, handler: tasks },
			{ name: "b", bus: 0 },
		],
		steps: [
			...[send(3, "a", ["throws", "returns"], { isRushed: true }), send(3, "a", ["holds"], { isRushed: true }), send(3, "a", ["returns"])],
			...[send(0, "a", ["answers"], { asks: 5 }), wait(3), end("answers"), wait(3), send(3, "a", ["holds"], { isRushed: true }), close(1)],
		],
	},
};

/** What the examples have to reach, all together. */
export const REACHED: readonly string[] = [
	...MANNERS.map((manner) => `handler ${manner}`),
	...["ack", "nack", "extend", "reply"].map((act) => `by hand ${act}`),
	...["settled", "already_settled", "ends late", "tried again", "out of time", "had to wait", "several recipients", "to another bus"],
	...["failed", "nacked", "timed_out", "no_handler", "left", "closed", "lost"].map((reason) => `dead: ${reason}`),
	...["taken", "aborted", "closed", "no_bus", "unknown_recipient"].map((state) => `sent: ${state}`),
	...["came", "not_delivered", "timed_out", "closed"].map((answer) => `answer: ${answer}`),
	...["passed over", "send", "reply", "abort", "act", "end", "leave", "mute", "listen", "move", "close", "wait"],
];
