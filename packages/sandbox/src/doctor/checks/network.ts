import { type Check, EPERM, EVERYWHERE } from "../check.js";
import { byName } from "../programs.js";

const REFUSED = ["Connection refused", "Network is unreachable"];

const TCP = "(exec 3<>/dev/tcp/127.0.0.1/$TCP && cat <&3)";
/** The second one hears that nobody got the first. */
const UDP = "exec 3>/dev/udp/127.0.0.1/$UDP; echo x >&3; echo x >&3";
const UNIX = `use Socket;
socket(S, PF_UNIX, SOCK_STREAM, 0) or do { print "socket: $!\\n"; exit 1 };
connect(S, sockaddr_un($ENV{SOCKET})) or do { print "connect: $!\\n"; exit 1 };
print scalar <S>;`;
const NAMES = 'my @found = gethostbyname("example.com"); print @found ? "THROUGH\\n" : "no answer\\n";';

const bash = { run: byName("bash"), platforms: EVERYWHERE };
const perl = { run: byName("perl"), platforms: EVERYWHERE };

/** Against listeners of the doctor's own on this computer; only names are asked of the network. */
export const NETWORK: readonly Check[] = [
	{
		...bash,
		name: "TCP without the network",
		why: "Files could be sent away.",
		expect: "refused",
		script: TCP,
		says: { darwin: EPERM, linux: REFUSED },
	},
	{
		...bash,
		name: "UDP without the network",
		why: "The same, in single packets.",
		expect: "refused",
		script: UDP,
		isThrough: ({ arrived }) => arrived > 0,
		says: { darwin: EPERM, linux: REFUSED },
	},
	{
		...perl,
		name: "names without the network",
		optional: true,
		why: "What is asked for by name reaches whoever owns the domain.",
		expect: "refused",
		script: NAMES,
		says: { darwin: ["no answer"], linux: ["no answer"] },
		timeout: 6,
	},
	{
		...perl,
		name: "a UNIX socket without the network",
		why: "Docker and ssh-agent listen at such sockets.",
		expect: "refused",
		needs: "socket",
		script: UNIX,
		says: { darwin: EPERM, linux: EPERM },
	},
	{
		...perl,
		name: "a UNIX socket with the network",
		why: "The network is no grant for Docker and ssh-agent.",
		expect: "refused",
		needs: "socket",
		network: true,
		script: UNIX,
		says: { darwin: EPERM, linux: EPERM },
	},
	{ ...bash, name: "TCP with the network", why: "The grant would be worth nothing.", expect: "works", network: true, script: TCP },
	{
		...perl,
		name: "names with the network",
		optional: true,
		why: "The grant would be of little use.",
		expect: "works",
		network: true,
		script: NAMES,
		timeout: 6,
	},
];
