import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { createPrivateDirectory, type PrivateDirectory } from "../host/private-directory.js";
import type { Check } from "./check.js";
import { describeSetuid, describeTree, type Guarded } from "./guarded.js";
import type { Listeners } from "./listeners.js";
import { ownNamespaces } from "./namespaces.js";
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
	 * What the script can name: `IN`, `OUT`, `HIDDEN` (holds `key`, which is not granted), `TCP` and `UDP` (ports), `NAMESPACES` (this
	 * process's; empty but on Linux), `VICTIM` (a process) and `SOCKET` where the check needs one.
	 */
	readonly environment: Readonly<Record<string, string>>;
	/** Everything that no script may change, as it is now. */
	guarded(): Guarded;
	remove(): Promise<void>;
}

const PREFIX = "robot-lab-doctor-";

/** Rejects with the file system's error. */
export async function setScene(check: Check, script: string, listeners: Listeners): Promise<Scene> {
	const [directory, hidden] = await directories();
	const places = furnish(directory.path, hidden.path, script);
	const socket = join(places.out, "socket");
	const stopListening = check.needs === "socket" ? await listeners.listenAt(socket) : undefined;
	const victim = check.needs === "victim" ? await startVictim() : undefined;
	const guardedTrees = [places.skillDir, places.in, join(places.out, ".git"), hidden.path];
	return {
		...places,
		environment: {
			...namesOf(places, hidden.path, listeners),
			...(victim && { VICTIM: String(victim.pid) }),
			...(check.needs === "socket" && { SOCKET: socket }),
		},
		guarded: () => new Map([...guardedTrees.flatMap(describeTree), ...describeSetuid(places.out), ...lifeOf(victim)]),
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

type Places = Pick<Scene, "directory" | "skillDir" | "in" | "out" | "file">;

function furnish(directory: string, hidden: string, script: string): Places {
	const at = (...names: string[]): string => join(directory, ...names);
	const file = put(at("skill", "scripts", "check"), `${script}\n`);
	put(at("in", "note"), "granted\n");
	put(at("out", ".git", "hooks", "sample"), "sample\n");
	put(join(hidden, "key"), "THROUGH\n");
	return { directory, skillDir: at("skill"), in: at("in"), out: at("out"), file };
}

function put(path: string, text: string): string {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
	return path;
}

const namesOf = (places: Places, hidden: string, { tcpPort, udpPort }: Listeners): Record<string, string> => ({
	LC_ALL: "C",
	IN: places.in,
	OUT: places.out,
	HIDDEN: hidden,
	TCP: String(tcpPort),
	UDP: String(udpPort),
	NAMESPACES: ownNamespaces(),
});

const lifeOf = (victim: Victim | undefined): readonly (readonly [string, string])[] =>
	victim === undefined ? [] : [["the other process", victim.isAlive ? "alive" : "not alive"]];
