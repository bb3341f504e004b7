import { closeSync } from "node:fs";
import type { BoundedRunOptions, Enclosure } from "@robot-lab/core/process";
import { groupFile, passwdFile } from "./account-files.js";
import { DESCRIPTORS } from "./arguments.js";
import type { BubblewrapHost } from "./bubblewrap-host.js";
import { withoutInherited } from "./inherited-descriptors.js";
import { inShell, REPORT_FD } from "./inner-shell.js";
import { firstProcess, pidNamespace } from "./pid-namespace.js";
import type { Pins } from "./pins.js";
import type { FilterArchitecture } from "./seccomp/call-numbers.js";
import { seccompFilter } from "./seccomp/filter.js";
import { openKeptFile, openUnnamedFile, readStart } from "./unnamed-file.js";

/** One start of bwrap: what to run, with which descriptors, and what can be read from them afterwards. */
export interface Launch {
	readonly argv: readonly string[];
	/** Index i is descriptor 3 + i of bwrap's. */
	readonly fds: NonNullable<BoundedRunOptions["fds"]>;
	readonly enclosure: Enclosure;
	/** What bwrap has said about itself so far. */
	status(): string;
	/** What the shell inside has said about the script so far. A script can write to it. */
	report(): string;
	/** What the shell was answered when it asked whether it may start the script; `undefined` before it asks. */
	answer(): string | undefined;
	/** Idempotent, never throws. */
	close(): void;
}

export interface LaunchInput {
	readonly program: string;
	readonly arguments: readonly string[];
	readonly command: readonly string[];
	readonly architecture: FilterArchitecture;
	/** What has to be mounted. */
	readonly pins: Pick<Pins, "answer">;
	readonly account: Pick<BubblewrapHost, "uid" | "gid" | "userName" | "home">;
}

/** Everything long or private goes by descriptor: a command line has a limit, and every user of the host can read it. Throws the file system's error. */
export function openLaunch(input: LaunchInput): Launch {
	const { account, architecture } = input;
	const fds: number[] = [];
	const key = JSON.stringify(account);
	const openers = [
		() => openUnnamedFile(input.arguments.map((word) => `${word}\0`).join("")),
		() => openKeptFile(`seccomp ${architecture}`, () => seccompFilter(architecture)),
		() => openUnnamedFile(),
		() => openKeptFile(`passwd ${key}`, () => passwdFile(account)),
		() => openKeptFile(`group ${key}`, () => groupFile(account)),
		() => openUnnamedFile(),
	];
	const close = (): void => fds.splice(0).forEach(closeQuietly);
	try {
		for (const open of openers) fds.push(open());
	} catch (error) {
		close();
		throw error;
	}
	const read = (number: number): string => {
		const fd = fds[number - 3];
		return fd === undefined ? "" : readStart(fd);
	};
	const status = (): string => read(DESCRIPTORS.status);
	const report = (): string => read(REPORT_FD);
	let answer: string | undefined;
	const decide = (): string => {
		answer = input.pins.answer(firstProcess(status()) ?? 0);
		return answer;
	};
	const own = ["--args", String(DESCRIPTORS.arguments), "--json-status-fd", String(DESCRIPTORS.status), "--"];
	return {
		argv: [input.program, ...own, ...inShell(input.command)],
		fds: withoutInherited([...fds, decide]),
		enclosure: pidNamespace(status),
		status,
		report,
		answer: () => answer,
		close,
	};
}

function closeQuietly(fd: number): void {
	try {
		closeSync(fd);
	} catch {
		// It is closed.
	}
}
