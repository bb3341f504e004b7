import { describeValue } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";
import { BUS_PROTOCOL_VERSION, type GuestMessage, type HostMessage } from "./bus-protocol.js";
import { count, type Fields, field, flag, message, outcome, record, text, texts } from "./read-fields.js";

type Readers<Message extends { readonly kind: string }> = {
	readonly [Kind in Message["kind"]]: (fields: Fields) => Omit<Extract<Message, { readonly kind: Kind }>, "kind">;
};

const connection = (fields: Fields): { connection: string } => ({ connection: field(fields, "connection", text) });

const request = (fields: Fields): { connection: string; request: number } => ({
	...connection(fields),
	request: field(fields, "request", count),
});

const ended = (fields: Fields): { reason: string } => ({ reason: field(fields, "reason", text) });

const GUEST: Readers<GuestMessage> = {
	ended,
	open: () => ({}),
	connect: connection,
	publish: (fields) => ({ ...request(fields), message: field(fields, "message", message), canAbort: field(fields, "canAbort", flag) }),
	await: (fields) => ({ ...request(fields), channel: field(fields, "channel", text), canAbort: field(fields, "canAbort", flag) }),
	withdraw: request,
	subscribe: (fields) => ({ ...request(fields), channel: field(fields, "channel", text), capacity: field(fields, "capacity", capacity) }),
	unsubscribe: (fields) => ({ ...connection(fields), subscription: field(fields, "subscription", count) }),
	settle: (fields) => ({ ...connection(fields), delivery: field(fields, "delivery", count), outcome: field(fields, "outcome", outcome) }),
	channels: request,
	close: request,
};

const HOST: Readers<HostMessage> = {
	ended,
	serving: () => ({}),
	answer: (fields) => ({ ...request(fields), ...(fields.value === undefined ? {} : { value: field(fields, "value", answer) }) }),
	refusal: (fields) => ({ ...request(fields), code: field(fields, "code", text), message: field(fields, "message", text) }),
	settled: (fields) => ({
		...connection(fields),
		messageId: field(fields, "messageId", text),
		outcome: field(fields, "outcome", outcome),
	}),
	waiting: (fields) => ({ ...connection(fields), messageId: field(fields, "messageId", text) }),
	reply: (fields) => ({ ...connection(fields), message: field(fields, "message", message) }),
	delivery: (fields) => ({
		...connection(fields),
		subscription: field(fields, "subscription", count),
		delivery: field(fields, "delivery", count),
		message: field(fields, "message", message),
	}),
	lost: (fields) => ({ ...connection(fields), reason: field(fields, "reason", text) }),
};

/** What a guest has posted; `undefined` where it is not about a bus. Throws TypeError where it says that it is and is no such message. */
export const readGuestMessage = (value: unknown): GuestMessage | undefined => read<GuestMessage>(GUEST, value);

/** The same of a host. */
export const readHostMessage = (value: unknown): HostMessage | undefined => read<HostMessage>(HOST, value);

/** What was read, or `undefined` where it is not about a bus or `onFlaw` was told what is wrong with it. */
export function readOr<Message>(
	read: (value: unknown) => Message | undefined,
	value: unknown,
	onFlaw: (reason: string) => void,
): Message | undefined {
	try {
		return read(value);
	} catch (error) {
		onFlaw(`a message on the port was refused: ${messageOf(error)}`);
		return undefined;
	}
}

function read<Message extends { readonly kind: string }>(readers: Readers<Message>, value: unknown): Message | undefined {
	if (typeof value !== "object" || value === null || !Object.hasOwn(value, "robotLabBus")) return undefined;
	const fields = record(value);
	const kind = field(fields, "kind", text);
	if (fields.robotLabBus !== BUS_PROTOCOL_VERSION && kind !== "ended")
		throw new TypeError(`is of version ${describeValue(fields.robotLabBus)}, and this side speaks ${BUS_PROTOCOL_VERSION}`);
	if (!Object.hasOwn(readers, kind)) throw new TypeError(`kind: ${describeValue(kind)} is unknown to this side`);
	return { kind, ...readers[kind as Message["kind"]](fields) } as unknown as Message;
}

const answer = (value: unknown): number | readonly string[] => (typeof value === "number" ? count(value) : texts(value));

function capacity(value: unknown): number {
	if (count(value) === 0) throw new TypeError("is 0: nothing could be delivered");
	return count(value);
}
