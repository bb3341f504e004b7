import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { EventLog } from "../../src/stream/event-log.js";
import { type ServeEventsOptions, serveEvents } from "../../src/transport/serve-events.js";

export interface SseServer extends AsyncDisposable {
	readonly url: string;
	readonly server: Server;
	/** Every request so far. */
	readonly requests: readonly IncomingMessage[];
	/** Every response so far. */
	readonly responses: readonly ServerResponse[];
	/** What serving each of them came to. */
	readonly served: readonly Promise<void>[];
}

/** A real server on a free port. */
export async function sseServer(log: EventLog, options: ServeEventsOptions = {}): Promise<SseServer> {
	const requests: IncomingMessage[] = [];
	const responses: ServerResponse[] = [];
	const served: Promise<void>[] = [];
	const server = createServer((request, response) => {
		requests.push(request);
		responses.push(response);
		const done = serveEvents(log, request, response, options);
		served.push(done);
		done.catch(() => response.headersSent || response.writeHead(500).end());
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/events`,
		server,
		requests,
		responses,
		served,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** A log that counts who listens. */
export class CountingLog extends EventLog {
	listeners = 0;

	override subscribe(...asked: Parameters<EventLog["subscribe"]>): ReturnType<EventLog["subscribe"]> {
		const { id, unsubscribe } = super.subscribe(...asked);
		let isOn = true;
		this.listeners += 1;
		const stop = (): void => {
			if (isOn) this.listeners -= 1;
			isOn = false;
			unsubscribe();
		};
		return { id, unsubscribe: stop, [Symbol.dispose]: stop };
	}
}
