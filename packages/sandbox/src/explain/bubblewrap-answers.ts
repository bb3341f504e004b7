import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { REFUSALS } from "../bubblewrap/seccomp/refusals.js";
import { type Answerer, allowed, denied, type Verdict } from "./answer.js";
import type { Box } from "./box.js";
import { fileVerdict } from "./bubblewrap-files.js";
import { environmentAnswer } from "./environment-answer.js";
import { notInPath, programPaths } from "./program-paths.js";
import type { Question } from "./question.js";
import { runVerdict } from "./run-verdict.js";
import type { Surroundings } from "./surroundings.js";

const OWN_NETWORK = "a network namespace of the sandbox's own, with nothing in it but a loopback";
const HOSTS_NETWORK = "the host's network, as the grant has network: true";
const OWN_PROCESSES = "a PID namespace of the sandbox's own: no other process is in it";
const FIRST_FREE_PORT = 1024;

/** Answers by what bwrap makes, the filter of system calls and what lies on this computer. */
export function bubblewrapAnswerer(box: Box, surroundings: Surroundings): Answerer {
	return (question) => {
		switch (question.verb) {
			case "env":
				return environmentAnswer(question.name, surroundings.environment);
			case "run": {
				const verdicts = programPaths(question.program, surroundings).map((path) => runVerdict(path, box, surroundings));
				return verdicts.find((verdict) => verdict.allowed) ?? verdicts[0] ?? denied(notInPath(question.program));
			}
			case "signal":
				return denied(OWN_PROCESSES);
			case "connect":
			case "listen":
			case "resolve":
				return networkVerdict(question, box);
			default:
				return fileVerdict(question.verb, question.path, box, surroundings);
		}
	};
}

type NetworkQuestion = Extract<Question, { readonly verb: "connect" | "listen" | "resolve" }>;

function networkVerdict(question: NetworkQuestion, { hasNetwork }: Box): Verdict {
	if ("socket" in question) return socketVerdict();
	if (question.verb === "resolve" && isIP(question.host) !== 0) return allowed("an address needs no looking up");
	if (question.verb === "resolve" && question.host === "localhost") return allowed("/etc/hosts names it");
	if (question.verb === "listen") return listenVerdict(question.port, hasNetwork);
	return hasNetwork ? allowed(HOSTS_NETWORK) : denied(OWN_NETWORK);
}

function listenVerdict(port: number, hasNetwork: boolean): Verdict {
	const first = hasNetwork ? firstFreePort() : FIRST_FREE_PORT;
	if (port < first) return denied("no capabilities", { why: `ports below ${first} take one` });
	return hasNetwork ? allowed(HOSTS_NETWORK) : allowed(OWN_NETWORK, { why: "only the script itself can connect to it" });
}

function firstFreePort(): number {
	try {
		return Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8"));
	} catch {
		return FIRST_FREE_PORT;
	}
}

/** No socket of that family is among what the row lets through, and the filter refuses what is not. */
function socketVerdict(): Verdict {
	const refusal = REFUSALS.find(({ calls }) => calls.includes("socket"));
	return refusal === undefined
		? allowed("nothing refuses UNIX sockets")
		: denied("the system call filter refuses sockets of the family AF_UNIX", { why: refusal.why });
}
