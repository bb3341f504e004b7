import type { DeliveryOutcome } from "../bus/bus-transport.js";
import type { MessageRecord } from "../bus/robot-message.js";

/**
 * The version of what two threads say to each other about a bus. Every message has it as `robotLabBus`; what has none belongs to others who use the port. All
 * versions have `ended`, so that each understands that the other does not understand it.
 */
export const BUS_PROTOCOL_VERSION = 1;

/** The code of a refusal for what was given up: only its own side knows the reason. */
export const WITHDRAWN = "withdrawn";

/** The port is of no use to the other side any longer. */
export interface EndedMessage {
	readonly kind: "ended";
	readonly reason: string;
}

/** A message about one connection. The guest gives connections a name that no other has. */
interface OfConnection {
	readonly connection: string;
}

/** A message that is answered. The guest counts its requests, per connection. */
interface Asking extends OfConnection {
	readonly request: number;
}

/** What the side says that has no broker. */
export type GuestMessage =
	| EndedMessage
	/** Is somebody there? Answered with `serving`. */
	| { readonly kind: "open" }
	| ({ readonly kind: "connect" } & OfConnection)
	/** Answered with the number of recipients. @property canAbort Whether `withdraw` may come. */
	| ({ readonly kind: "publish"; readonly message: MessageRecord; readonly canAbort: boolean } & Asking)
	/** Answered when somebody has subscribed to the channel. @property canAbort Whether `withdraw` may come. */
	| ({ readonly kind: "await"; readonly channel: string; readonly canAbort: boolean } & Asking)
	/** A publish, or a wait, is given up. */
	| ({ readonly kind: "withdraw" } & Asking)
	/** The number of the request is that of the subscription. */
	| ({ readonly kind: "subscribe"; readonly channel: string; readonly capacity: number } & Asking)
	| ({ readonly kind: "unsubscribe"; readonly subscription: number } & OfConnection)
	| ({ readonly kind: "settle"; readonly delivery: number; readonly outcome: DeliveryOutcome } & OfConnection)
	/** Answered with the channels. */
	| ({ readonly kind: "channels" } & Asking)
	| ({ readonly kind: "close" } & Asking);

/** What the side says that has the broker. */
export type HostMessage =
	| EndedMessage
	/** Somebody is there: what was posted before may be lost. */
	| { readonly kind: "serving" }
	| ({ readonly kind: "answer"; readonly value?: number | readonly string[] } & Asking)
	| ({ readonly kind: "refusal"; readonly code: string; readonly message: string } & Asking)
	| ({ readonly kind: "settled"; readonly messageId: string; readonly outcome: DeliveryOutcome } & OfConnection)
	| ({ readonly kind: "waiting"; readonly messageId: string } & OfConnection)
	| ({ readonly kind: "reply"; readonly message: MessageRecord } & OfConnection)
	| ({
			readonly kind: "delivery";
			readonly subscription: number;
			readonly delivery: number;
			readonly message: MessageRecord;
	  } & OfConnection)
	/** The connection is gone, and nobody has closed it. */
	| ({ readonly kind: "lost"; readonly reason: string } & OfConnection);

/** A message as it is posted. */
export const posted = <Message extends GuestMessage | HostMessage>(message: Message): Message & { readonly robotLabBus: number } => ({
	...message,
	robotLabBus: BUS_PROTOCOL_VERSION,
});
