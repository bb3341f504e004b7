import { configState } from "../config/configure.js";
import { guardedListener } from "../errors/guarded-listener.js";
import { warnOnce } from "../errors/warn-once.js";
import { messageOf } from "../text/message-of.js";
import { DirectoryWatchers } from "./directory-watchers.js";
import * as flaws from "./discovery-flaws.js";
import { type LookOptions, RepeatedScan, type SkillChanges } from "./repeated-scan.js";
import type { Scan } from "./scan-roots.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";
import type { SkillRoot } from "./skill-roots.js";

/** After a change it is waited for that long whether there are more; not for ever, in a flood. */
const QUIET_MS = 100;
const LONGEST_WAIT_MS = 2000;
/** How often it is looked where nobody tells of changes. */
const POLL_MS = 5000;
const FOR_EVER_MS = 2 ** 31 - 1;

type Told = (changes: SkillChanges) => void;

/** Looks at the roots of a catalog again whenever something changed in them, and tells its listeners. One look at a time. */
export class CatalogWatcher {
	readonly #readRoots: () => readonly SkillRoot[];
	readonly #scan = new RepeatedScan();
	readonly #watchers: DirectoryWatchers;
	readonly #listeners = new Map<Told, { readonly keepAlive: boolean }>();
	#roots: readonly SkillRoot[];
	#current: Promise<Scan>;
	#last: Promise<unknown> = Promise.resolve();
	#queued = 0;
	#waitingSince: number | undefined;
	#isChangedSince = false;
	#timer: NodeJS.Timeout | undefined;
	#poller: NodeJS.Timeout | undefined;
	#keeper: NodeJS.Timeout | undefined;
	#failure: SkillDiagnostic | undefined;
	#unwatched: readonly SkillDiagnostic[] = [];
	#isStopped = false;

	/** Throws what `roots` throws. */
	constructor(roots: () => readonly SkillRoot[]) {
		this.#readRoots = roots;
		this.#roots = roots();
		this.#watchers = new DirectoryWatchers({ onHint: () => this.#later(), onFailure: (error) => this.#poll(error) });
		this.#current = this.#look();
	}

	/** What there was when it was last looked. */
	get current(): Promise<Scan> {
		return this.#current;
	}

	get isStopped(): boolean {
		return this.#isStopped;
	}

	/** Why it is not as good as it could be. */
	get diagnostics(): readonly SkillDiagnostic[] {
		return this.#failure === undefined ? this.#unwatched : [this.#failure, ...this.#unwatched];
	}

	/** @returns What ends it; with the last listener everything does. Harmless when called twice. */
	add(listener: (changes: SkillChanges) => unknown, keepAlive: boolean): () => void {
		const told: Told = guardedListener(listener, (error) => {
			const message = `A listener of AgentSkillCatalog.watch failed: ${messageOf(error)}`;
			warnOnce(message, message, "ROBOT_LAB_SKILLS_LISTENER_FAILED");
		});
		this.#listeners.set(told, { keepAlive });
		this.#keep();
		return () => {
			this.#listeners.delete(told);
			this.#keep();
			if (this.#listeners.size === 0) this.#stop();
		};
	}

	/** {@link current} is what a look finds that begins after this and reads everything again. */
	reload(): void {
		this.#current = this.#look({ anew: true });
	}

	/** After those that are under way. */
	#look(options: LookOptions = {}): Promise<Scan> {
		this.#queued += 1;
		const looking = this.#last.then(() => this.#lookNow(options));
		this.#last = looking.finally(() => {
			this.#queued -= 1;
			if (this.#queued === 0 && this.#isChangedSince) this.#later();
		});
		return looking;
	}

	async #lookNow(options: LookOptions): Promise<Scan> {
		this.#isChangedSince = false;
		try {
			this.#roots = this.#readRoots();
		} catch {
			// A configuration that was broken meanwhile says nothing new; it is told of where it is next read.
		}
		const { scan, changes, directories, cut } = await this.#scan.look(this.#roots, { ...options, beside: recordOf(this.#roots) });
		if (this.#isStopped) return scan;
		this.#unwatched = cut.map(flaws.watchIncomplete);
		// A look that was asked for since then is the one that counts.
		if (this.#queued === 1) this.#current = Promise.resolve(scan);
		// What happened in a directory before it was watched nobody told of.
		if (this.#failure === undefined && this.#watchers.set(directories)) this.#later();
		if (changes !== undefined && Object.values(changes).some(({ length }) => length > 0)) {
			for (const told of [...this.#listeners.keys()]) told(changes);
		}
		return scan;
	}

	#later(): void {
		if (this.#isStopped) return;
		if (this.#queued > 0) {
			this.#isChangedSince = true;
			return;
		}
		this.#waitingSince ??= Date.now();
		const left = LONGEST_WAIT_MS - (Date.now() - this.#waitingSince);
		clearTimeout(this.#timer);
		this.#timer = setTimeout(
			() => {
				this.#waitingSince = undefined;
				void this.#look();
			},
			Math.max(0, Math.min(QUIET_MS, left)),
		).unref();
	}

	#poll(error: Error): void {
		if (this.#isStopped || this.#failure !== undefined) return;
		this.#watchers.close();
		const path = this.#roots[0]?.path ?? "";
		const message = `Changes of the skills in ${JSON.stringify(path)} and the other roots are looked for every ${POLL_MS / 1000} seconds only, because the system cannot tell of them (${error.message}). Raise its limit of watched directories (on Linux: sysctl fs.inotify.max_user_watches).`;
		this.#failure = Object.freeze({ severity: "warning", code: "watch_limited", message, path });
		this.#poller = setInterval(() => this.#later(), POLL_MS).unref();
		this.#later();
	}

	#keep(): void {
		clearInterval(this.#keeper);
		const isKept = [...this.#listeners.values()].some(({ keepAlive }) => keepAlive);
		this.#keeper = isKept ? setInterval(() => {}, FOR_EVER_MS) : undefined;
	}

	#stop(): void {
		this.#isStopped = true;
		clearTimeout(this.#timer);
		clearInterval(this.#poller);
		this.#watchers.close();
	}
}

/** Where it is recorded which projects are trusted: what changes there decides whether a project's root is read. */
function recordOf(roots: readonly SkillRoot[]): readonly string[] {
	if (roots.every(({ project }) => project === undefined)) return [];
	const { record } = configState().trust;
	return record === undefined ? [] : [record];
}
