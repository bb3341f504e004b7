import { createSocket, type Socket } from "node:dgram";
import { createServer, type Server } from "node:http";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { arena } from "../arena.js";

/** An address of this computer that is not its loopback; where it has none, the loopback stands in. */
const address =
	Object.values(networkInterfaces())
		.flatMap((list) => list ?? [])
		.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";

let server: Server;
let server6: Server | undefined;
let datagrams: Socket;
let port = 0;
let port6 = 0;
let udpPort = 0;
const arrived: string[] = [];

const listening = (http: Server, host: string): Promise<number> =>
	new Promise((resolve, reject) => {
		http.once("error", reject);
		http.listen(0, host, () => resolve((http.address() as { port: number }).port));
	});

const web = (): Server => {
	const http = createServer((_, response) => response.end("hello from outside\n"));
	http.on("connection", () => arrived.push("tcp"));
	return http;
};

beforeAll(async () => {
	server = web();
	port = await listening(server, "0.0.0.0");
	const six = web();
	port6 = await listening(six, "::1").catch(() => 0);
	if (port6 !== 0) server6 = six;
	datagrams = createSocket("udp4");
	datagrams.on("message", () => arrived.push("udp"));
	udpPort = await new Promise((resolve) => datagrams.bind(0, "0.0.0.0", () => resolve(datagrams.address().port)));
});
afterAll(() => {
	server.close();
	server6?.close();
	datagrams.close();
});
beforeEach(() => {
	arrived.length = 0;
});

const env = () => ({ HOST: address, PORT: String(port), PORT6: String(port6), UDP: String(udpPort) });

/** Each prints REACHED when it got through; `says` is what it prints when there is no network, which is not what a missing program says. */
const MEANS: readonly (readonly [means: string, attack: string, interpreter: string, says: RegExp])[] = [
	["bash, TCP", "(exec 3<>/dev/tcp/$HOST/$PORT) && echo REACHED", "bash", /Network is unreachable|Connection refused/],
	["bash, UDP", "(echo x > /dev/udp/$HOST/$UDP) && echo REACHED", "bash", /Network is unreachable|Connection refused/],
	[
		"perl, TCP",
		'use Socket; socket(S, PF_INET, SOCK_STREAM, 0) or die "no socket: $!"; connect(S, sockaddr_in($ENV{PORT}, inet_aton($ENV{HOST}))) or die "connect: $!"; print "REACHED\\n";',
		"perl",
		/connect: (Network is unreachable|Connection refused)/,
	],
	[
		"perl, UDP",
		'use Socket; socket(S, PF_INET, SOCK_DGRAM, 0) or die "no socket: $!"; defined send(S, "x", 0, sockaddr_in($ENV{UDP}, inet_aton($ENV{HOST}))) or die "send: $!"; print "REACHED\\n";',
		"perl",
		/send: (Network is unreachable|Connection refused)/,
	],
	[
		"node, HTTP",
		"fetch('http://' + process.env.HOST + ':' + process.env.PORT).then((r) => r.text()).then((t) => console.log('REACHED', t), (e) => { console.log(e.cause); process.exit(1); })",
		"node",
		/ENETUNREACH|ECONNREFUSED/,
	],
	[
		"perl, TCP over IPv6",
		'use Socket qw(:DEFAULT inet_pton pack_sockaddr_in6 PF_INET6); socket(S, PF_INET6, SOCK_STREAM, 0) or die "no socket: $!"; connect(S, pack_sockaddr_in6($ENV{PORT6}, inet_pton(PF_INET6, "::1"))) or die "connect: $!"; print "REACHED\\n";',
		"perl",
		/connect: (Network is unreachable|Connection refused|Cannot assign requested address)/,
	],
];

describe.skipIf(noBubblewrap !== undefined)(`the network without a grant (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	for (const [means, attack, interpreter, says] of MEANS) {
		it(`is not reached by ${means}, where the same script without confinement, and with the grant, gets through`, async (context) => {
			if (means.includes("IPv6") && server6 === undefined) context.skip("this computer has no IPv6 loopback");
			const { confined, unconfined } = arena();
			const reached = (output: string): boolean => output.includes("REACHED");
			expect(reached((await unconfined(attack, { interpreter, env: env() })).output)).toBe(true);
			expect(reached((await confined(attack, { interpreter, env: env(), grant: { network: true } })).output)).toBe(true);
			await expect.poll(() => arrived.length).toBe(2);
			arrived.length = 0;

			const { output } = await confined(attack, { interpreter, env: env() });
			expect(reached(output)).toBe(false);
			expect(output).toMatch(says);
			await new Promise((resolve) => setTimeout(resolve, 50));
			expect(arrived).toEqual([]);
		});
	}

	it("has no names and no interface but a loopback of its own", async () => {
		const { confined } = arena();
		const script =
			"const os = require('os'); console.log(Object.keys(os.networkInterfaces())); require('dns').lookup('example.com', (e) => console.log(e.code))";
		const { output } = await confined(script, { interpreter: "node" });
		expect(output).toMatch(/\[ 'lo' \]\n(EAI_AGAIN|ENOTFOUND)/);
	});

	it("control: a script can talk to itself over that loopback", async () => {
		const script =
			"const s = require('net').createServer((c) => c.end('own')).listen(0, '127.0.0.1', () => require('net').connect(s.address().port, '127.0.0.1').on('data', (d) => { console.log(String(d)); s.close(); }))";
		expect((await arena().confined(script, { interpreter: "node" })).output).toBe("own\n");
	});
});
