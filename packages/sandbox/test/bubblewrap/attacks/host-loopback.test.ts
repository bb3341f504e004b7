import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { arena } from "../arena.js";

const CONNECT = "for host in 127.0.0.1 localhost; do (exec 3<>/dev/tcp/$host/$PORT && cat <&3); done; true";

describe.skipIf(noBubblewrap !== undefined)(`a service on the host's loopback (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("is not reached without the network, where the same script reaches it without confinement and with the grant", async () => {
		let connections = 0;
		const server = createServer((socket) => {
			connections += 1;
			socket.end("secrets of the host\n");
		});
		onTestFinished(() => void server.close());
		const port = await new Promise<number>((resolve) =>
			server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port)),
		);
		const env = { PORT: String(port) };
		const { confined, unconfined } = arena();
		expect((await unconfined(CONNECT, { env })).output.match(/secrets/g)?.length).toBe(2);
		expect((await confined(CONNECT, { env, grant: { network: true } })).output.match(/secrets/g)?.length).toBe(2);
		expect(connections).toBe(4);
		const { output } = await confined(CONNECT, { env });
		expect(output).not.toContain("secrets");
		expect(output.match(/Connection refused/g)?.length).toBeGreaterThanOrEqual(2);
		expect(connections).toBe(4);
	});
});
