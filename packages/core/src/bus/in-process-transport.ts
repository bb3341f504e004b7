import type { BusConnection, BusListener, BusTransport } from "./bus-transport.js";
import { InProcessBroker } from "./in-process-broker.js";
import { InProcessConnection } from "./in-process-connection.js";

/** Moves messages within this process. What a subscriber has room for it receives before `publish` has answered. */
export class InProcessTransport implements BusTransport {
	readonly specificationVersion = "v1";
	readonly name = "in-process";
	readonly #broker: InProcessBroker = new InProcessBroker();

	connect(listener: BusListener): BusConnection {
		return new InProcessConnection(this.#broker, listener);
	}
}
