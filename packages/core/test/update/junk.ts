import fc from "fast-check";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { StreamEvents } from "../../src/stream/stream-events.js";
import { STATES_AFTER } from "../../src/update/lifecycle-states.js";

const value = fc.oneof(
	fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true }),
	fc.constantFrom<unknown>(Symbol("s"), () => "f"),
	fc.constant({
		get message() {
			throw new Error("looked at");
		},
	}),
);

const words = [
	"text",
	"tool-call",
	"tool-output",
	"file",
	"data",
	"plan",
	"warning",
	"lifecycle",
	"user",
	"call",
	"run",
	"image/png",
	"p",
	"[]",
];

const field = fc.oneof({ weight: 2, arbitrary: fc.constantFrom<unknown>(...words) }, { weight: 1, arbitrary: value });

const FIELDS = [
	"runId",
	"messageId",
	"parentRunId",
	"partId",
	"type",
	"role",
	"toolCallId",
	"toolName",
	"skill",
	"name",
	"mediaType",
	"title",
	"kind",
	"locations",
	"content",
	"finalContent",
	"input",
	"result",
	"script",
	"rawOutput",
	"delta",
	"usage",
	"usageScope",
	"extra",
	"message",
	"error",
	"retryInMs",
	"model",
	"parentToolCallId",
	"sessionId",
	"uri",
];

const lifecycle = fc.record(
	{
		reason: fc.oneof(fc.constantFrom<unknown>(...Object.keys(STATES_AFTER)), value),
		sandboxId: field,
		browser: fc.oneof(value, fc.record({ liveUrl: field })),
		detail: value,
	},
	{ requiredKeys: [] },
);

const data = fc.record(Object.fromEntries([...FIELDS.map((name) => [name, field] as const), ["lifecycle", fc.oneof(lifecycle, value)]]), {
	requiredKeys: [],
});

/** Events as no publisher of ours makes them: fields missing, of other types, with code of their own. */
export const junkEvent: fc.Arbitrary<StreamEvent> = fc.oneof(
	{ weight: 1, arbitrary: value },
	{
		weight: 6,
		arbitrary: fc.record(
			{
				event: fc.oneof(fc.constantFrom<unknown>(...StreamEvents.ALL), value),
				data: fc.oneof({ weight: 5, arbitrary: data }, { weight: 1, arbitrary: value }),
				timestamp: field,
				sequenceNumber: fc.oneof(fc.integer(), value),
			},
			{ requiredKeys: ["event"] },
		),
	},
) as fc.Arbitrary<never>;

const { proxy, revoke } = Proxy.revocable<unknown[]>([], {});
revoke();

/** Throws whatever is done with it. */
export const revoked: unknown = proxy;
