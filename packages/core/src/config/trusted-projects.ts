import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { processSurroundings, trustRecord } from "./config-files.js";
import type { ConfigOrigin } from "./config-origin.js";
import { configState } from "./configure.js";
import { judgeProject, type ProjectVerdict, realOrNothing, refusalOfPlace, refusalOfRecord } from "./project-trust.js";
import { listTrustEntries, readTrustEntry, removeTrustEntry, writeTrustEntry } from "./trust-record.js";

/** A project that the user said they trust. */
export interface TrustedProject {
	/** As it was named; of one that was recorded, its real path; of a record that cannot be believed, the file. */
	readonly path: string;
	/** Where the setting `trusted_projects` stands that names it. Absent of one that {@link trustProject} recorded. */
	readonly origin?: ConfigOrigin;
	/** Why it is not trusted although it was named, and what to do. */
	readonly refusal?: string;
}

/**
 * Whether the user trusts a project: by the setting `trusted_projects`, as it was when the configuration was read, or by the record that
 * {@link trustProject} keeps, as it is now. Not what is below one. Reads the configuration, and throws as `config` does.
 *
 * @param directory The project's own directory. Default: the process's working directory.
 */
export function isProjectTrusted(directory: string = "."): boolean {
	return judgeProject(directory, configState().trust).isTrusted;
}

/** Every project that the setting names, then every one that is recorded. Throws as `config` does. */
export function trustedProjects(): readonly TrustedProject[] {
	const { trust } = configState();
	const { setting, record } = trust;
	const named = ((setting?.value ?? []) as readonly string[]).map(
		(path): TrustedProject => ({ path, ...(setting && { origin: setting.origin }) }),
	);
	const recorded = record === undefined ? [] : listTrustEntries(record);
	return [
		...named.map((project) => ({ ...project, ...refusalOf(judgeProject(project.path, trust)) })),
		...recorded.map(({ file, project, flaw }) =>
			project === undefined ? { path: file, refusal: flaw ?? "" } : { path: project, ...refusalOf(judgeProject(project, trust)) },
		),
	];
}

function refusalOf(verdict: ProjectVerdict): Pick<TrustedProject, "refusal"> {
	if (verdict.isTrusted) return {};
	return { refusal: verdict.refusal ?? "it is not there. Revoke the trust in it" };
}

/**
 * Records that the user trusts a project: from then on all of its configuration file counts, and skills are looked for in it where
 * `skills.discover` is on. Call it for a person who said so, never for what a model or a file says. The record is in the user's own
 * configuration directory, by the project's real path. A configuration that was read already stays as it is until `reloadConfig()`.
 *
 * @returns The project's real path.
 * @throws ConfigurationError for what is no directory, lies where other users may replace it, contains the record itself, or cannot be recorded.
 */
export function trustProject(directory: string): string {
	return recording(directory, "trust", (project, record) => {
		const refusal = refusalOfPlace(project) ?? refusalOfRecord(project, record, undefined);
		if (refusal !== undefined) throw new ConfigurationError(`Cannot trust ${JSON.stringify(project)}: ${refusal}.`);
		writeTrustEntry(record, project);
	});
}

/**
 * Forgets what {@link trustProject} recorded, also of a project that is gone. What the setting `trusted_projects` names it leaves alone.
 *
 * @returns Whether something was recorded.
 * @throws ConfigurationError where the record cannot be changed.
 */
export function revokeTrust(directory: string): boolean {
	let isRecorded = false;
	recording(directory, "revoke the trust in", (project, record) => {
		isRecorded = readTrustEntry(record, project) !== undefined;
		removeTrustEntry(record, project);
	});
	return isRecorded;
}

function recording(directory: unknown, action: string, change: (project: string, record: string) => void): string {
	const given = `Cannot ${action} ${describeValue(directory)}:`;
	const project = typeof directory === "string" && directory !== "" ? realOrNothing(directory, undefined) : undefined;
	if (project === undefined) throw new ConfigurationError(`${given} nobody can tell where that is. Give the path of a directory.`);
	const record = trustRecord(processSurroundings());
	if (record === undefined)
		throw new ConfigurationError(`${given} there is no home directory to record it in. Set HOME to an absolute path.`);
	try {
		change(project, record);
	} catch (cause) {
		if (ConfigurationError.isInstance(cause)) throw cause;
		const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
		throw new ConfigurationError(`${given} ${record} cannot be written (${reason}). Check its permissions.`, { cause });
	}
	return project;
}
