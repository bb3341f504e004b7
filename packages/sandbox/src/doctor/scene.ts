import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { createPrivateDirectory, type PrivateDirectory } from "../private-directory.js";
import type { Check } from "./check.js";
import type { Listeners } from "./listeners.js";
import { startVictim, type Victim } from "./victim.js";

/** A host in small for one script: a skill, directories that are granted and one at home that is not. */
export interface Scene {
	/** All but the directory at home. */
	readonly directory: string;
	readonly skillDir: string;
	/** Granted for reading. */
	readonly in: string;
	/** Granted for writing. */
	readonly out: string;
	/** The script's file. */
	readonly file: string;
	/**
	 * What the script can name: `IN`, `OUT`, `HIDDEN` (holds `key`, which is not granted), `TCP` and `UDP` (ports), `VICTIM` (a process)
	 * and `SOCKET` where the check needs one.
	 */
	readonly environment: Readonly<Record<string, string>>;
	/** Everything that no script may change, as lines of text. */
	guarded(): readonly string[];
	remove(): Promise<void>;
}

const PREFIX = "robot-lab-doctor-";

/** Rejects with the file system's error. */
export async function setScene(check: Check, script: string, listeners: Listeners): Promise<Scene> {
	const [directory, hidden] = await directories();
	const at = (...names: string[]): string => join(directory.path, ...names);
	const put = (path: string, text: string): string => {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
		return path;
	};
	const file = put(at("skill", "scripts", "check"), `${script}\n`);
	put(at("in", "note"), "granted\n");
	put(at("out", ".git", "hooks", "sample"), "sample\n");
	put(join(hidden.path, "key"), "THROUGH\n");
	const socket = at("out", "socket");
	const stopListening = check.needs === "socket" ? await listeners.listenAt(socket) : undefined;
	const victim = check.needs === "victim" ? await startVictim() : undefined;
	return {
		directory: directory.path,
		skillDir: at("skill"),
		in: at("in"),
		out: at("out"),
		file,
		environment: {
			LC_ALL: "C",
			IN: at("in"),
			OUT: at("out"),
			HIDDEN: hidden.path,
			TCP: String(listeners.tcpPort),
			UDP: String(listeners.udpPort),
			...(victim && { VICTIM: String(victim.pid) }),
			...(check.needs === "socket" && { SOCKET: socket }),
		},
		guarded: () => [
			...[at("skill"), at("in"), at("out", ".git"), hidden.path].flatMap(describeTree),
			...foundSetuid(at("out")),
			...lifeOf(victim),
		],
		async remove() {
			await stopListening?.();
			await victim?.end();
			await directory.remove();
			await hidden.remove();
		},
	};
}

/** Where nothing can be made at home, the other one is no more granted than it. */
async function directories(): Promise<readonly [PrivateDirectory, PrivateDirectory]> {
	const directory = await createPrivateDirectory(PREFIX);
	const hidden = await createPrivateDirectory(`.${PREFIX}`, homedir()).catch(() => createPrivateDirectory(PREFIX));
	return [directory, hidden];
}

function describeTree(path: string): readonly string[] {
	const found = lstatSync(path, { throwIfNoEntry: false });
	if (found === undefined) return [`${path} is gone`];
	const line = `${path} ${found.mode.toString(8)}`;
	if (found.isDirectory())
		return [
			line,
			...readdirSync(path)
				.sort()
				.flatMap((name) => describeTree(join(path, name))),
		];
	return [`${line} ${found.nlink} ${found.isFile() ? readFileSync(path, "utf8") : ""}`];
}

function foundSetuid(directory: string): readonly string[] {
	return readdirSync(directory)
		.map((name) => join(directory, name))
		.filter((path) => (lstatSync(path).mode & 0o6000) !== 0)
		.map((path) => `${path} has another identity`);
}

const lifeOf = (victim: Victim | undefined): readonly string[] =>
	victim === undefined || victim.isAlive ? [] : ["the other process has ended"];
