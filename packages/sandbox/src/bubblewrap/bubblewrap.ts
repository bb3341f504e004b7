import { type Capabilities, SandboxUnavailableError, type ScriptResult } from "@robot-lab/core";
import { confinedEnvironment } from "../grant/environment.js";
import { checkTrustedGround } from "../grant/trusted-ground.js";
import { homeDirectory } from "../host/home-directory.js";
import type { Strategy, StrategySpawn } from "../strategy/strategy.js";
import { withNotes } from "../strategy/with-notes.js";
import { type BubblewrapFeatures, bubblewrapArguments } from "./arguments.js";
import type { BubblewrapHost } from "./bubblewrap-host.js";
import { concludeRun } from "./diagnose.js";
import { gatherBubblewrapHost } from "./gather-bubblewrap-host.js";
import { type Launch, openLaunch } from "./launch.js";
import { type MountPlan, planMounts } from "./mount-plan.js";
import { bubblewrapOptions } from "./options.js";
import { checkReal, type Pins, pinMounts } from "./pins.js";
import { plantedNote } from "./planted-note.js";
import { type Probe, probeBubblewrap } from "./probe.js";

export interface BubblewrapOptions {
	/** The bundle's directory; readable. */
	readonly skillDir: string;
	/** What will be run. The interpreter it resolves to becomes readable. Default: nothing beyond the system's own programs. */
	readonly command?: readonly string[];
	/** Where the command will run. Default: the host process's working directory. */
	readonly cwd?: string;
	/** Directories separated by colons in which the command is looked up. Default: the host's `PATH`. */
	readonly searchPath?: string;
	/** A directory for temporary files; readable and writable. Default: none but an empty `/tmp`. */
	readonly scratchDir?: string;
	/** Other spellings of what the grant names, as a script may use them. Default: none. */
	readonly spellings?: readonly string[];
	/** The script's whole environment. Default: what a confined script gets of this process's. */
	readonly environment?: Readonly<Record<string, string>>;
	/** Exact names of variables that count into that default besides (`sandbox.envPass`). Default: none. */
	readonly envPass?: readonly string[];
	/** Whether files by which a script could have the host run code later are read-only inside what it may write. Default true. */
	readonly protect?: boolean;
	/** Directories in which bundles may claim `trust: core` (`sandbox.trustCore`): none is writable, nor what is in or above it. Default: the current configuration's. */
	readonly trustCore?: readonly string[];
	/** Default: looked up on this computer when it is first needed. */
	readonly bubblewrapHost?: BubblewrapHost;
	/** Default: tried on this computer, once in a process. */
	readonly probe?: () => Promise<Probe>;
}

const NEWEST: BubblewrapFeatures = { disableUserns: true, size: true };

/** Confines by namespaces of Linux, which hold nothing of the host but what the grant names, and by a filter of system calls. */
export class Bubblewrap implements Strategy {
	readonly name = "bubblewrap";
	readonly #grant: Capabilities;
	readonly #options: BubblewrapOptions;
	#host: BubblewrapHost | undefined;
	#plan: MountPlan | undefined;
	#pins: Pins | undefined;
	#launch: Launch | undefined;
	#probed: Promise<Probe> | undefined;

	/** Of a grant whose paths are real, as those of an intersection are. Touches nothing: the host is looked at when the arguments are first needed. */
	constructor(grant: Capabilities, options: BubblewrapOptions) {
		this.#grant = grant;
		this.#options = options;
	}

	/** What bwrap 0.8 or newer is told, all but the command. Throws a SandboxUnavailableError (`invalid_grant`, `grant_not_expressible`). */
	get arguments(): readonly string[] {
		return this.#argumentsFor(NEWEST);
	}

	/** The same, an option with its operands each. */
	get options(): readonly (readonly string[])[] {
		return bubblewrapOptions(this.arguments);
	}

	/** What holds less than was asked for, in words. Throws as `arguments` does. */
	get notes(): readonly string[] {
		return this.#mounts().notes;
	}

	get spawn(): StrategySpawn {
		if (this.#launch === undefined) return {};
		const { fds, enclosure } = this.#launch;
		return { fds, enclosure };
	}

	/** Once `wrap` has begun, what it found. */
	probe(): Promise<Probe> {
		return this.#probed ?? this.#tryHost();
	}

	/**
	 * `bwrap --args 3 … -- <shell> <command…>`, with the descriptors that `spawn` names. Rejects with a SandboxUnavailableError:
	 * `grant_changed` when something granted is not what it was when the grant was made.
	 */
	async wrap(command: readonly string[]): Promise<readonly string[]> {
		this.#probed = this.#tryHost();
		const probe = await this.#probed;
		if (!probe.ok) throw new SandboxUnavailableError(probe.code, `Scripts are to be confined by bubblewrap: ${probe.message}`);
		const args = this.#argumentsFor(probe.features);
		await this.cleanup();
		const { program, architecture } = probe;
		const pins = this.#pin();
		try {
			this.#launch = openLaunch({ program, architecture, arguments: args, command, pins, account: this.#hostFacts() });
		} catch (cause) {
			await this.cleanup();
			const why = cause instanceof Error ? cause.message : String(cause);
			throw new SandboxUnavailableError(
				"profile_not_written",
				`What bubblewrap is told cannot be written: ${why}. Check the temporary directory.`,
				{
					cause,
				},
			);
		}
		return this.#launch.argv;
	}

	conclude(result: ScriptResult): ScriptResult {
		if (this.#launch === undefined) return result;
		const concluded = concludeRun(result, {
			status: this.#launch.status(),
			report: this.#launch.report(),
			answer: this.#launch.answer(),
		});
		return concluded.refusal === undefined ? withNotes(concluded, plantedNote(this.#mounts().missing)) : concluded;
	}

	async cleanup(): Promise<void> {
		this.#launch?.close();
		this.#launch = undefined;
		this.#pins?.close();
		this.#pins = undefined;
	}

	#tryHost(): Promise<Probe> {
		return (this.#options.probe ?? probeBubblewrap)();
	}

	/** What the grant was checked for is what its paths led to then, so they must still be real. */
	#pin(): Pins {
		const { fsRead, fsWrite } = this.#grant;
		const { scratchDir } = this.#options;
		checkReal([...fsRead, ...fsWrite, ...(scratchDir === undefined ? [] : [scratchDir])], this.#hostFacts());
		this.#pins = pinMounts(this.#mounts().mounts);
		return this.#pins;
	}

	#argumentsFor(features: BubblewrapFeatures): readonly string[] {
		return bubblewrapArguments({
			plan: this.#mounts(),
			host: this.#hostFacts(),
			network: this.#grant.network,
			cwd: this.#cwd(),
			environment: this.#environment(),
			features,
		});
	}

	#mounts(): MountPlan {
		this.#plan ??= this.#makePlan();
		return this.#plan;
	}

	#makePlan(): MountPlan {
		const { skillDir, scratchDir, protect = true, trustCore } = this.#options;
		const host = this.#hostFacts();
		const plan = planMounts({ grant: this.#grant, skillDir, cwd: this.#cwd(), scratchDir, protect, host });
		checkTrustedGround({ write: this.#grant.fsWrite.map((path) => host.realPaths.get(path) ?? path), trustCore });
		return plan;
	}

	#cwd(): string {
		const { cwd = process.cwd() } = this.#options;
		return this.#hostFacts().realPaths.get(cwd) ?? cwd;
	}

	#hostFacts(): BubblewrapHost {
		this.#host ??= this.#options.bubblewrapHost ?? this.#gatherHost();
		return this.#host;
	}

	#gatherHost(): BubblewrapHost {
		const { skillDir, command = [], cwd = process.cwd(), searchPath = process.env.PATH ?? "", scratchDir, spellings = [] } = this.#options;
		const { fsRead, fsWrite, network } = this.#grant;
		return gatherBubblewrapHost({ read: [...fsRead, skillDir], write: fsWrite, scratchDir, spellings, command, cwd, searchPath, network });
	}

	#environment(): Readonly<Record<string, string>> {
		const { environment, envPass = [], scratchDir = "/tmp" } = this.#options;
		if (environment !== undefined) return environment;
		return confinedEnvironment({
			host: process.env,
			variables: {},
			envPass,
			grant: this.#grant,
			scratchDir,
			home: homeDirectory(),
			platform: "linux",
		});
	}
}
