import { ConfigurationError } from "@robot-lab/core";

export type FileVerb = "read" | "list" | "write" | "delete";

/** What can be done with a file or directory. */
export type FileUse = FileVerb | "run";

/** Whether a script may do one thing. */
export type Question =
	| { readonly verb: FileVerb; readonly path: string }
	| { readonly verb: "run"; readonly program: string }
	| { readonly verb: "connect"; readonly socket: string }
	| { readonly verb: "connect"; readonly host: string; readonly port: number }
	| { readonly verb: "listen"; readonly port: number }
	| { readonly verb: "resolve"; readonly host: string }
	| { readonly verb: "env"; readonly name: string }
	| { readonly verb: "signal" };

/** The questions there are, one a line, as an error message lists them. */
const GRAMMAR = `
  read PATH          read ~/.ssh/id_ed25519
  list PATH          list ~
  write PATH         write ./out/report.csv     (change what is there, or make it)
  delete PATH        delete .git/config         (or rename it away)
  run PROGRAM        run git, run ./tool
  connect HOST:PORT  connect example.com:443, connect [::1]:5432
  connect PATH       connect /var/run/docker.sock
  listen PORT        listen 8080
  resolve HOST       resolve example.com
  env NAME           env OPENAI_API_KEY
  signal others      (processes that the script did not start)`;

const MAX_PORT = 65_535;
const ADDRESS = /^(?:\[([0-9a-f:.]+)\]|([^:\s/[\]]+)):(\d{1,5})$/i;

/** Reads a question. Throws a ConfigurationError (`question_unknown`) that lists what can be asked. */
export function parseQuestion(text: string): Question {
	const [, verb = "", rest = ""] = /^\s*(\S+)(?:\s+([\s\S]*?))?\s*$/.exec(text) ?? [];
	if (text.includes("\0")) return unknown(text, "it has a NUL character in it");
	if (rest === "") return unknown(text, "it is a verb and what the verb is about");
	switch (verb) {
		case "read":
		case "list":
		case "write":
		case "delete":
			return { verb, path: rest };
		case "run":
			return { verb, program: rest };
		case "connect":
			return /^(\/|~|\.\.?\/)/.test(rest) ? { verb, socket: rest } : { verb, ...addressOf(text, rest) };
		case "listen":
			return { verb, port: portOf(text, rest) };
		case "resolve":
			return /\s/.test(rest) ? unknown(text, "a host is one word") : { verb, host: rest };
		case "env":
			return /[\s=]/.test(rest) ? unknown(text, "the name of a variable has no blanks and no =") : { verb, name: rest };
		case "signal":
			return rest === "others" ? { verb } : unknown(text, "signal takes the word others");
		default:
			return unknown(text, `there is no verb ${JSON.stringify(verb.slice(0, 40))}`);
	}
}

function addressOf(text: string, address: string): { readonly host: string; readonly port: number } {
	const [, bracketed, plain, port] = ADDRESS.exec(address) ?? [];
	const host = bracketed ?? plain;
	if (host === undefined || port === undefined) return unknown(text, "connect takes HOST:PORT, [IPv6]:PORT or the path of a socket");
	return { host, port: portOf(text, port) };
}

function portOf(text: string, port: string): number {
	const number = Number(port);
	return /^\d+$/.test(port) && number >= 1 && number <= MAX_PORT ? number : unknown(text, `a port is a number from 1 to ${MAX_PORT}`);
}

function unknown(text: string, why: string): never {
	const shown = text.length > 120 ? `${text.slice(0, 120)}…` : text;
	throw new ConfigurationError(`${JSON.stringify(shown)} cannot be asked: ${why}. What can be asked, with examples:${GRAMMAR}`, {
		code: "question_unknown",
	});
}
