import { isIP } from "node:net";
import type { CrossedLink } from "../host/walk-path.js";
import { evaluateProfile, type ProfileQuery } from "../sbpl/index.js";
import { macPath } from "../seatbelt/mac-path.js";
import { type Answerer, allowed, because, denied, type Verdict } from "./answer.js";
import { environmentAnswer } from "./environment-answer.js";
import { lookUpOnMac, type MacPlace } from "./mac-look-up.js";
import { profileReason } from "./profile-reason.js";
import { notInPath, programPaths } from "./program-paths.js";
import type { FileVerb, Question } from "./question.js";
import type { Surroundings } from "./surroundings.js";

/** One thing the kernel asks the profile. */
interface Step {
	readonly operation: string;
	readonly query: ProfileQuery;
	/** What the step is for, where that is not the question itself. */
	readonly on?: string;
}

/** Any address that is not this computer: filters know no more of one. */
const ELSEWHERE = "192.0.2.1";
const EVERY_ADDRESS = "0.0.0.0";
/** getaddrinfo speaks to it. */
const RESOLVER = "/private/var/run/mDNSResponder";
/** Stands for whatever a script calls what it makes in a directory. */
const NEW_ENTRY = "robot-lab-new-entry";

/** Answers by a profile: each question is what the kernel asks on the way, and the first rule that denies decides. */
export function seatbeltAnswerer(profile: string, surroundings: Surroundings): Answerer {
	const evaluate = evaluateProfile(profile);
	const decide = (steps: readonly Step[], more: Partial<Verdict> = {}): Verdict => {
		let last: Verdict = denied("(deny default)", more);
		for (const { operation, query, on } of steps) {
			const decision = evaluate(operation, query);
			last = { ...more, ...decision, ...because(on, profileReason(decision.rule, surroundings)) };
			if (!decision.allowed) return last;
		}
		return last;
	};
	const onPath = (path: string, stepsOf: (place: MacPlace) => readonly Step[], followLast = true): Verdict => {
		const place = lookUpOnMac(path, surroundings, followLast);
		if (place.barrier !== undefined) return denied(place.barrier, { path: place.path });
		const verdict = decide([...linkSteps(place), ...stepsOf(place)], { path: place.path });
		const link = place.links.map(crossing).findLast((text) => text !== undefined);
		return verdict.allowed ? verdict : { ...verdict, ...because(link, verdict.why) };
	};
	const run = (path: string): Verdict => {
		const { isSetuid, path: real } = lookUpOnMac(path, surroundings);
		if (isSetuid) return denied("macOS starts no program inside a sandbox that runs as another user or group", { path: real });
		return onPath(path, runSteps);
	};
	return (question) => {
		switch (question.verb) {
			case "env":
				return environmentAnswer(question.name, surroundings.environment);
			case "run": {
				const verdicts = programPaths(question.program, surroundings).map(run);
				return verdicts.find((verdict) => verdict.allowed) ?? verdicts[0] ?? denied(notInPath(question.program));
			}
			case "connect":
				if ("socket" in question) return onPath(question.socket, ({ path }) => [{ operation: "network-outbound", query: { path } }]);
				return decide(connectSteps(question));
			case "listen":
				return decide(listenSteps(question.port));
			case "resolve":
				return isIP(question.host) === 0 ? decide([RESOLVING]) : allowed("an address needs no looking up");
			case "signal":
				return decide([{ operation: "signal", query: { target: "others" } }]);
			default:
				return onPath(question.path, (place) => fileSteps(question.verb, place), question.verb !== "delete");
		}
	};
}

/** Those that every Mac has say nothing. */
const crossing = ({ path, target }: CrossedLink): string | undefined =>
	macPath(path) === target ? undefined : `${path} is a symbolic link to ${target}`;

/** The kernel reads each link that it follows. */
function linkSteps({ links }: MacPlace): readonly Step[] {
	return links.map(({ path }) => ({
		operation: "file-read-metadata",
		query: { path, vnodeType: "SYMLINK" },
		on: "following a link reads it",
	}));
}

function fileSteps(verb: FileVerb, { path, kind }: MacPlace): readonly Step[] {
	const file: ProfileQuery = { path, vnodeType: kind ?? (verb === "list" ? "DIRECTORY" : "REGULAR-FILE") };
	const step = (operation: string): Step => ({ operation, query: file });
	switch (verb) {
		case "read":
		case "list":
			return [step("file-read-metadata"), step("file-read-data")];
		case "delete":
			return [step("file-write-unlink")];
		case "write":
			if (kind === "DIRECTORY") {
				const query: ProfileQuery = { path: `${path === "/" ? "" : path}/${NEW_ENTRY}`, vnodeType: "REGULAR-FILE" };
				return [{ operation: "file-write-create", query, on: "making something in the directory" }];
			}
			return kind === undefined ? [step("file-write-create"), step("file-write-data")] : [step("file-write-data")];
	}
}

/** A program reads its own file: the loader does, or the interpreter of a script. */
function runSteps({ path, kind = "REGULAR-FILE" }: MacPlace): readonly Step[] {
	const query: ProfileQuery = { path, vnodeType: kind };
	const on = "to run, it has to be read";
	return [
		{ operation: "process-exec*", query: { path } },
		{ operation: "file-read-metadata", query, on },
		{ operation: "file-read-data", query, on },
	];
}

const RESOLVING: Step = { operation: "network-outbound", query: { path: RESOLVER }, on: "looking up a name asks this service" };

function connectSteps({ host, port }: Extract<Question, { readonly host: string; readonly port: number }>): readonly Step[] {
	const isName = isIP(host) === 0 && host !== "localhost";
	const address = isName ? ELSEWHERE : isIP(host) === 6 ? `[${host}]` : host;
	return [...(isName ? [RESOLVING] : []), { operation: "network-outbound", query: { remote: `${address}:${port}` } }];
}

const listenSteps = (port: number): readonly Step[] =>
	["network-bind", "network-inbound"].map((operation) => ({ operation, query: { local: `${EVERY_ADDRESS}:${port}` } }));
