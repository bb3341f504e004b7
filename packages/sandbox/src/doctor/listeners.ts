import { createSocket } from "node:dgram";
import { createServer, type Server } from "node:net";

/** Who answers on this computer, at its loopback. */
export interface Listeners {
	readonly tcpPort: number;
	readonly udpPort: number;
	/** How often somebody came, by any of the ways. */
	readonly arrivals: number;
	/** Answers at a UNIX socket as well, until what it answers with is called. Rejects with the system's error. */
	listenAt(path: string): Promise<() => Promise<void>>;
	close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";

/** Rejects with the system's error. */
export async function openListeners(): Promise<Listeners> {
	let arrivals = 0;
	const server = (): Server =>
		createServer((socket) => {
			arrivals += 1;
			socket.on("error", () => {});
			socket.end("THROUGH\n");
		});
	const tcp = server();
	await listening(tcp, { port: 0, host: LOOPBACK });
	const udp = createSocket("udp4").on("message", () => {
		arrivals += 1;
	});
	await new Promise<void>((resolve, reject) => udp.once("error", reject).bind(0, LOOPBACK, resolve));
	const address = tcp.address();
	return {
		tcpPort: typeof address === "object" && address !== null ? address.port : 0,
		udpPort: udp.address().port,
		get arrivals() {
			return arrivals;
		},
		async listenAt(path) {
			const unix = server();
			await listening(unix, { path });
			return () => closed(unix);
		},
		async close() {
			await closed(tcp);
			await new Promise<void>((resolve) => udp.close(() => resolve()));
		},
	};
}

function listening(server: Server, at: { readonly port: number; readonly host: string } | { readonly path: string }): Promise<void> {
	return new Promise((resolve, reject) => server.once("error", reject).listen(at, resolve));
}

const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
