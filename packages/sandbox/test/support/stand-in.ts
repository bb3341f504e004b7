import { join } from "node:path";
import type { ExecutorHost } from "../../src/run/executor.js";
import { chooseStrategy } from "../../src/strategy/choose.js";
import { put } from "./workshop.js";

/** A program in the place of sandbox-exec, and an executor that believes to be on a Mac. It confines nothing: what is tested is everything around it. */
export interface StandIn {
	readonly host: ExecutorHost;
	/** The directory where the program notes what it was given. */
	readonly notes: string;
}

/** The probe of a working sandbox-exec, which is no run and leaves no note. */
export const PASSES_PROBE = 'for word; do [ "$word" = robot-lab-probe ] && exit 42; done';

const RECORDER = (notes: string, probed: string): string => `#!/bin/bash
${probed}
printf '%s\\n' "$@" > '${notes}/argv'
printf '%s\\n' "$(<"$2")" > '${notes}'/profile.$$ && mv -f '${notes}'/profile.$$ '${notes}/profile.sb'
ls -ldr "$2" "\${2%/*}" | cut -c1-10 > '${notes}/modes'
printf '%s' "$2" > '${notes}/file'
shift 2
`;

/** A stand-in that runs the command, or says and does something else in its place. The probe it passes, unless `probed` does something else. */
export function standIn(directory: string, behaviour = 'exec "$@"', probed = PASSES_PROBE): StandIn {
	const notes = join(directory, "notes");
	put(join(notes, "argv"), "");
	const program = put(join(directory, "sandbox-exec"), `${RECORDER(notes, probed)}${behaviour}\n`, 0o755);
	return { notes, host: { platform: "darwin", choose: (grant, options) => chooseStrategy(grant, { ...options, sandboxExec: program }) } };
}
