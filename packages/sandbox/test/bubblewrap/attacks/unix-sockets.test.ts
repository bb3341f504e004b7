import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { arena } from "../arena.js";

const CONNECT = `use Socket;
for my $name ($ENV{FILE}, "\\0$ENV{ABSTRACT}") {
	my $kind = $name =~ /^\\0/ ? "abstract" : "pathname";
	print "$kind visible\\n" if -S $name;
	if (!socket(S, PF_UNIX, SOCK_STREAM, 0)) { print "$kind socket: $!\\n"; next }
	if (!connect(S, sockaddr_un($name))) { print "$kind connect: $!\\n"; next }
	print "$kind: ", scalar <S>;
}
socketpair(A, B, PF_UNIX, SOCK_STREAM, 0) or die "pair: $!"; print "pair\\n";`;

async function listenAt(name: string, told: string[]): Promise<void> {
	const server: Server = createServer((socket) => {
		told.push(name);
		socket.end("secrets of the host\n");
	});
	onTestFinished(() => void server.close());
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(name, resolve);
	});
}

describe.skipIf(noBubblewrap !== undefined)(`UNIX sockets of the host (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it.each([false, true])(
		"are out of reach by path and by abstract name, with the network: %s, where the script reaches both without confinement",
		async (network) => {
			const { confined, unconfined, out } = arena();
			const told: string[] = [];
			const env = { FILE: join(out, "service"), ABSTRACT: `robot-lab-test-${process.pid}-${network}` };
			await listenAt(env.FILE, told);
			await listenAt(`\0${env.ABSTRACT}`, told);
			const control = await unconfined(CONNECT, { interpreter: "perl", env });
			expect(control.output).toBe("pathname visible\npathname: secrets of the host\nabstract: secrets of the host\npair\n");
			expect(told.length).toBe(2);
			const { output } = await confined(CONNECT, { interpreter: "perl", env, grant: { network } });
			expect(output).toBe("pathname visible\npathname socket: Operation not permitted\nabstract socket: Operation not permitted\npair\n");
			expect(told.length).toBe(2);
		},
	);
});
