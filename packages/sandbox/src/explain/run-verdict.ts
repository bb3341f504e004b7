import { because, denied, type Verdict } from "./answer.js";
import { type Box, hostPath } from "./box.js";
import { placeVerdict } from "./bubblewrap-files.js";
import { programFormat } from "./program-format.js";
import type { Surroundings } from "./surroundings.js";

/** As many scripts as the kernel lets be each other's interpreter. */
const MAX_SCRIPTS = 5;

/** What the mounts say to running a program, and then the kernel to what is in its file. */
export function runVerdict(path: string, box: Box, surroundings: Surroundings, scriptsBefore = 0): Verdict {
	const { verdict, place } = placeVerdict("run", path, box, surroundings);
	if (!verdict.allowed || place?.mount.kind !== "bind") return verdict;
	const more = { path: place.path };
	// What a question is about may be made later. What a first line names has to be there.
	if (place.stats === undefined) return scriptsBefore === 0 ? verdict : denied(`${place.path} does not exist`, more);
	const format = programFormat(hostPath(place.mount, place.path));
	if (format === undefined || format.kind === "machine code") return verdict;
	if (format.kind === "none")
		return denied(`${place.path} is no program: neither machine code nor a first line with #!`, { ...more, ...SHELLS });
	if (scriptsBefore === MAX_SCRIPTS) return denied(`more than ${MAX_SCRIPTS} scripts are each other's interpreter`, more);
	const { interpreter } = format;
	const there = runVerdict(interpreter.startsWith("~") ? `./${interpreter}` : interpreter, box, surroundings, scriptsBefore + 1);
	if (there.allowed) return verdict;
	return denied(there.rule, { ...more, ...because(`the first line of ${place.path} names ${interpreter} as its interpreter`, there.why) });
}

const SHELLS = { why: "a shell that is told to run it takes it for its own commands, which is no more than reading it" };
