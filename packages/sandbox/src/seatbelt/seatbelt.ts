import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Capabilities, SandboxUnavailableError, type ScriptResult } from "@robot-lab/core";
import { isAtOrBelow } from "@robot-lab/core/paths";
import { runBounded } from "@robot-lab/core/process";
import { checkTrustedGround } from "../grant/trusted-ground.js";
import { createPrivateDirectory, type PrivateDirectory } from "../host/private-directory.js";
import { PROFILE_DIRECTORY_PREFIX } from "../host/profile-directory.js";
import type { Readiness, Strategy } from "../strategy/strategy.js";
import { concludeRun, type EndedRun } from "./diagnose.js";
import { gatherHostFacts } from "./gather-host-facts.js";
import type { HostFacts } from "./host-facts.js";
import { sameOnMac } from "./mac-path.js";
import { probeSeatbelt } from "./probe.js";
import { seatbeltProfile } from "./profile.js";

/** By its absolute path: a `PATH` that somebody else wrote must not choose what confines. */
export const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

/** A program that does nothing, and how long it may take, in milliseconds. */
const NOTHING = "/usr/bin/true";
const NOTHING_MS = 5000;

export interface SeatbeltOptions {
	/** The bundle's directory; readable. */
	readonly skillDir: string;
	/** What will be run. The interpreter it resolves to becomes readable. Default: nothing beyond the system's own programs. */
	readonly command?: readonly string[];
	/** Where the command will run. Default: the host process's working directory. */
	readonly cwd?: string;
	/** Directories separated by colons in which the command is looked up. Default: the host's `PATH`. */
	readonly searchPath?: string;
	/** A directory for temporary files; readable and writable. Default: none. */
	readonly scratchDir?: string;
	/** Whether files by which a script could have the host run code later cannot be written or made. Default: true. */
	readonly protect?: boolean;
	/** Directories in which bundles may claim `trust: core` (`sandbox.trustCore`): none is writable, nor what is in or above it. Default: the current configuration's. */
	readonly trustCore?: readonly string[];
	/** Other spellings of what the grant names, as a script may use them; the links they cross can be looked up. Default: none. */
	readonly spellings?: readonly string[];
	/** Default: looked up on this computer when the profile is first needed. */
	readonly hostFacts?: HostFacts;
	/** Absolute path of what applies the profile. Default: macOS's own `/usr/bin/sandbox-exec`. */
	readonly sandboxExec?: string;
}

/** Confines by a profile of macOS that denies whatever the grant does not name. */
export class Seatbelt implements Strategy {
	readonly name = "seatbelt";
	readonly #grant: Capabilities;
	readonly #options: SeatbeltOptions;
	#facts: HostFacts | undefined;
	#profile: string | undefined;
	#directory: PrivateDirectory | undefined;
	#file: Promise<string> | undefined;

	/** Touches nothing: the host is looked at when the profile is first needed. */
	constructor(grant: Capabilities, options: SeatbeltOptions) {
		this.#grant = grant;
		this.#options = options;
	}

	/** The profile's text. Throws a SandboxUnavailableError (`invalid_grant`) for a grant that cannot be expressed. */
	get profile(): string {
		this.#profile ??= this.#makeProfile();
		return this.#profile;
	}

	probe(): Promise<Readiness> {
		return probeSeatbelt(this.#program);
	}

	/** `sandbox-exec -f <profile> <command…>`. Writes the profile where only this user can read it. */
	async wrap(command: readonly string[]): Promise<readonly string[]> {
		const { profile } = this;
		this.#file ??= this.#writeProfile(profile);
		return [this.#program, "-f", await this.#file, ...command];
	}

	conclude(result: ScriptResult): Promise<ScriptResult> {
		return concludeRun(result, { probe: () => this.#runNothing(), loneInterpreters: this.#loneInterpreters() });
	}

	async cleanup(): Promise<void> {
		await this.#file?.catch(() => {});
		await this.#directory?.remove();
		this.#directory = undefined;
		this.#file = undefined;
	}

	#makeProfile(): string {
		const { skillDir, scratchDir, protect, trustCore } = this.#options;
		const facts = this.#hostFacts();
		const profile = seatbeltProfile({ grant: this.#grant, skillDir, scratchDir, protect, facts });
		const write = this.#grant.fsWrite.map((path) => facts.realPaths.get(path) ?? path);
		checkTrustedGround({ write, trustCore, spelt: sameOnMac });
		return profile;
	}

	async #writeProfile(profile: string): Promise<string> {
		try {
			this.#directory = await createPrivateDirectory(PROFILE_DIRECTORY_PREFIX);
			const file = join(this.#directory.path, "profile.sb");
			await writeFile(file, profile, { flag: "wx", mode: 0o600 });
			return file;
		} catch (cause) {
			const why = cause instanceof Error ? cause.message : String(cause);
			throw new SandboxUnavailableError(
				"profile_not_written",
				`The sandbox profile cannot be written: ${why}. Check the temporary directory.`,
				{ cause },
			);
		}
	}

	get #program(): string {
		return this.#options.sandboxExec ?? SANDBOX_EXEC;
	}

	async #runNothing(): Promise<EndedRun> {
		return runBounded(await this.wrap([NOTHING]), { cwd: "/", env: {}, timeoutMs: NOTHING_MS, survivors: "kill" });
	}

	/** Where the grant or the bundle covers one, its surroundings are readable. */
	#loneInterpreters(): readonly string[] {
		const { loneInterpreters = [], realPaths } = this.#hostFacts();
		const { fsRead, fsWrite } = this.#grant;
		const roots = [...fsRead, ...fsWrite, this.#options.skillDir].map((path) => realPaths.get(path) ?? path);
		return loneInterpreters.filter((path) => !roots.some((root) => isAtOrBelow(path, root)));
	}

	#hostFacts(): HostFacts {
		this.#facts ??= this.#options.hostFacts ?? this.#gatherFacts();
		return this.#facts;
	}

	#gatherFacts(): HostFacts {
		const { skillDir, command = [], cwd = process.cwd(), searchPath = process.env.PATH ?? "", scratchDir, spellings = [] } = this.#options;
		const { fsRead, fsWrite } = this.#grant;
		const paths = [...fsRead, ...fsWrite, skillDir, ...(scratchDir === undefined ? [] : [scratchDir]), ...spellings];
		return gatherHostFacts({ paths, guarded: fsWrite, command, cwd, searchPath });
	}
}
