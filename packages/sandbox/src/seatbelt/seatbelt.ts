import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Capabilities, SandboxUnavailableError } from "@robot-lab/core";
import { createPrivateDirectory, type PrivateDirectory } from "../private-directory.js";
import type { Strategy } from "../strategy.js";
import { gatherHostFacts } from "./gather-host-facts.js";
import type { HostFacts } from "./host-facts.js";
import { PROFILE_DIRECTORY_PREFIX, seatbeltProfile } from "./profile.js";

/** By its absolute path: a `PATH` that somebody else wrote must not choose what confines. */
export const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

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
	/** Other spellings of what the grant names, as a script may use them; the links they cross can be looked up. Default: none. */
	readonly spellings?: readonly string[];
	/** Default: looked up on this computer when the profile is first needed. */
	readonly hostFacts?: HostFacts;
}

/** Confines by a profile of macOS that denies whatever the grant does not name. */
export class Seatbelt implements Strategy {
	readonly name = "seatbelt";
	readonly #grant: Capabilities;
	readonly #options: SeatbeltOptions;
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
		this.#profile ??= seatbeltProfile({
			grant: this.#grant,
			skillDir: this.#options.skillDir,
			scratchDir: this.#options.scratchDir,
			facts: this.#options.hostFacts ?? this.#gatherFacts(),
		});
		return this.#profile;
	}

	/** `sandbox-exec -f <profile> <command…>`. Writes the profile where only this user can read it. */
	async wrap(command: readonly string[]): Promise<readonly string[]> {
		const { profile } = this;
		this.#file ??= this.#writeProfile(profile);
		return [SANDBOX_EXEC, "-f", await this.#file, ...command];
	}

	async cleanup(): Promise<void> {
		await this.#file?.catch(() => {});
		await this.#directory?.remove();
		this.#directory = undefined;
		this.#file = undefined;
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

	#gatherFacts(): HostFacts {
		const { skillDir, command = [], cwd = process.cwd(), searchPath = process.env.PATH ?? "", scratchDir, spellings = [] } = this.#options;
		const { fsRead, fsWrite } = this.#grant;
		const paths = [...fsRead, ...fsWrite, skillDir, ...(scratchDir === undefined ? [] : [scratchDir]), ...spellings];
		return gatherHostFacts({ paths, command, cwd, searchPath });
	}
}
