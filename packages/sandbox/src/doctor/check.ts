import type { ResourceLimits } from "@robot-lab/core";
import type { Scene } from "./scene.js";

export type DoctorPlatform = "darwin" | "linux";

/** What a script that was run left to be seen. */
export interface Trace {
	readonly scene: Scene;
	readonly output: string;
	/** How often the doctor's own listeners were reached meanwhile. */
	readonly arrived: number;
}

/** One thing that is tried: first without confinement, where it has to work, then inside. */
export interface Check {
	readonly name: string;
	/** What it would mean if it were not so. */
	readonly why: string;
	/** Where there is such a thing. */
	readonly platforms: readonly DoctorPlatform[];
	/** `works` is what scripts must be able to do, `refused` is an attack. */
	readonly expect: "works" | "refused";
	/** A script that prints `THROUGH` when it gets through. What it can name is in {@link Scene.environment}. */
	readonly script: string;
	/** The command for the script's file, or why there is none here. */
	readonly run: (file: string) => readonly string[] | string;
	/** What the output of an attack that was refused holds at least one of: a script that failed for another reason shows nothing. */
	readonly says?: Readonly<Partial<Record<DoctorPlatform, readonly string[]>>>;
	/** What the output of an attack holds where the kernel of this computer refuses it to everybody: what it is refused by inside shows nothing then. */
	readonly refusedAnyway?: readonly string[];
	/** What a refusal is in words, where the output does not say it. */
	readonly refusedAs?: string;
	/** Whether it got through. Default: the output says so. */
	readonly isThrough?: (trace: Trace) => boolean | Promise<boolean>;
	/** What is wrong after a script that did work. */
	readonly leftBehind?: (trace: Trace) => string | undefined;
	/** What has to be there for it besides files. */
	readonly needs?: "victim" | "socket";
	/** Whether the network is granted. Default false. */
	readonly network?: boolean;
	/** What the script is held to inside. Where that cannot be done it is not tried: such scripts are not run at all. */
	readonly limits?: ResourceLimits;
	/** Whether computers are all right that lack what it needs: an interpreter, a terminal, a network. */
	readonly optional?: true;
	/** Whether inside it goes on until its time is up. */
	readonly lingers?: true;
	/** Whether it says something only inside, so that there is nothing to compare with. */
	readonly onlyInside?: true;
	/** How long it may take, in seconds. Default 15. */
	readonly timeout?: number;
}

/** What became of one check. */
export interface DoctorRow {
	readonly name: string;
	readonly why: string;
	readonly expected: string;
	readonly seen: string;
	/**
	 * `skipped` says nothing about confinement, `seen` says why. `moot` is an attack that the kernel refuses without confinement, too, and
	 * `seen` says in which words; inside it was refused as well. `noted` is a figure.
	 */
	readonly outcome: "ok" | "failed" | "skipped" | "moot" | "noted";
}

export const EVERYWHERE: readonly DoctorPlatform[] = ["darwin", "linux"];
export const EPERM: readonly string[] = ["Operation not permitted"];
export const ENOENT: readonly string[] = ["No such file or directory"];
export const EROFS: readonly string[] = ["Read-only file system"];
