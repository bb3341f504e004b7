import { constants } from "node:fs";
import { access, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Capabilities, SandboxUnavailableError } from "@robot-lab/core";
import { type BoundedRunResult, runBounded } from "@robot-lab/core/process";
import { createPrivateDirectory } from "../host/private-directory.js";
import { PROFILE_DIRECTORY_PREFIX } from "../host/profile-directory.js";
import type { Readiness } from "../strategy/strategy.js";
import { abortedInSilence, firstLine, refusalOf } from "./diagnose.js";
import { gatherHostFacts } from "./gather-host-facts.js";
import { seatbeltProfile } from "./profile.js";

const PROBE_TIMEOUT_MS = 10_000;
const PASSED = 42;
/** What the check is called, as `$0`. */
const PROBE_NAME = "robot-lab-probe";
/** `$1` is a file, `$2` a name in the same directory, neither of which is granted. In subshells, as a redirection that fails ends a shell. */
const CHECK = `(: <"$1") 2>/dev/null && exit 1; (: >"$2") 2>/dev/null && exit 1; exit ${PASSED}`;

const probes = new Map<string, Promise<Readiness>>();

/**
 * Has a program apply a profile of ours to something that a working profile denies, once in a process for each program. Never rejects.
 *
 * @param program Absolute path of sandbox-exec.
 */
export function probeSeatbelt(program: string): Promise<Readiness> {
	const running = probes.get(program) ?? tryProgram(program);
	probes.set(program, running);
	return running;
}

async function tryProgram(program: string): Promise<Readiness> {
	try {
		await access(program, constants.X_OK);
	} catch {
		return {
			ok: false,
			code: "backend_missing",
			message: `${program} is missing or not executable. It is a part of macOS: run the host where the system's own is.`,
		};
	}
	try {
		return await tryProfile(program);
	} catch (error) {
		if (SandboxUnavailableError.isInstance(error)) return { ok: false, code: error.code, message: error.message };
		const why = error instanceof Error ? error.message : String(error);
		return failed(`${program} could not be tried: ${why}.`);
	}
}

/** The profile of a grant of nothing, for a bundle in an empty directory. */
async function tryProfile(program: string): Promise<Readiness> {
	const directories = await Promise.all([PROFILE_DIRECTORY_PREFIX, PROBE_NAME, PROBE_NAME].map((prefix) => createPrivateDirectory(prefix)));
	const [own = "", skillDir = "", hidden = ""] = directories.map(({ path }) => path);
	try {
		const facts = gatherHostFacts({ paths: [skillDir], command: [], cwd: "/", searchPath: "" });
		const profile = join(own, "profile.sb");
		await writeFile(profile, seatbeltProfile({ grant: new Capabilities(), skillDir, facts }), { mode: 0o600 });
		const file = join(hidden, "file");
		await writeFile(file, "");
		const argv = [program, "-f", profile, "/bin/sh", "-c", CHECK, PROBE_NAME, file, join(hidden, "new")];
		const ended = await runBounded(argv, { cwd: "/", env: {}, timeoutMs: PROBE_TIMEOUT_MS, survivors: "kill" });
		return readinessOf(program, ended, (await readdir(hidden)).length === 1);
	} finally {
		for (const directory of directories) await directory.remove();
	}
}

function readinessOf(program: string, ended: BoundedRunResult, isUntouched: boolean): Readiness {
	if (ended.exitCode === PASSED && isUntouched) return { ok: true };
	const refusal = refusalOf(ended);
	if (refusal !== undefined) return { ok: false, ...refusal };
	if (ended.spawnError !== undefined) return failed(`${program} cannot be started: ${ended.spawnError.message}`);
	if (ended.timedOut)
		return failed(`${program} did nothing for ${PROBE_TIMEOUT_MS / 1000} seconds. Run the host again, or restart the Mac.`);
	if (ended.exitCode === 1 || !isUntouched)
		return failed(`${program} runs programs, but what the profile denies is not denied. Run the host where the system's own program is.`);
	if (abortedInSilence(ended))
		return failed(
			`under ${program} a program of the system's aborted before it began: this macOS needs something that the profile does not allow. Please report it with the version of macOS.`,
		);
	const said = firstLine(ended.output) || "It said nothing.";
	return failed(`${program} ended with ${ended.signal ?? `exit code ${ended.exitCode}`}. ${said}`);
}

const failed = (message: string): Readiness => ({ ok: false, code: "probe_failed", message });
