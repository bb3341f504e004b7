import { basename, dirname, join } from "node:path";
import { ConfigurationError } from "../errors/configuration-error.js";
import { expandPath } from "../paths/expand-path.js";
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
 * @throws ConfigurationError for what is no directory, lies where other users may replace it or the record, contains the record itself, or cannot be recorded.
 */
export function trustProject(directory: string): string {
	// Who may turn it elsewhere is asked before where it leads.
	const place = typeof directory === "string" ? refusalOfPlace(directory, undefined) : undefined;
	const project = typeof directory === "string" && directory !== "" ? realOrNothing(directory, undefined) : undefined;
	if (project === undefined) throw nowhere("trust", directory);
	change("trust", directory, (record) => {
		const refusal = place ?? refusalOfRecord(project, record, undefined);
		if (refusal !== undefined) throw new ConfigurationError(`Cannot trust ${JSON.stringify(project)}: ${refusal}.`);
		writeTrustEntry(record, project);
	});
	return project;
}

/**
 * Forgets what {@link trustProject} recorded, also of a project that is gone or where a link lies by now: of the path as it is given, and of where it leads. What the setting `trusted_projects` names it leaves alone.
 *
 * @returns Whether something was recorded.
 * @throws ConfigurationError where the record cannot be changed.
 */
export function revokeTrust(directory: string): boolean {
	const names = typeof directory === "string" && directory !== "" ? namesOf(directory) : [];
	if (names.length === 0) throw nowhere("revoke the trust in", directory);
	let isRecorded = false;
	change("revoke the trust in", directory, (record) => {
		for (const project of names) {
			if (readTrustEntry(record, project) === undefined) continue;
			isRecorded = true;
			removeTrustEntry(record, project);
		}
	});
	return isRecorded;
}

/** What a project may be recorded by: where it leads, and as it is spelt, since there may be a link by now where the project was. */
function namesOf(directory: string): readonly string[] {
	try {
		const spelt = expandPath(directory);
		const above = realOrNothing(dirname(spelt), undefined);
		return [...new Set([realOrNothing(directory, undefined), above && join(above, basename(spelt)), spelt])].filter(
			(name) => name !== undefined,
		);
	} catch {
		return [];
	}
}

const nowhere = (action: string, directory: unknown): ConfigurationError =>
	new ConfigurationError(`Cannot ${action} ${describeValue(directory)}: nobody can tell where that is. Give the path of a directory.`);

function change(action: string, directory: string, make: (record: string) => void): void {
	const given = `Cannot ${action} ${describeValue(directory)}:`;
	const record = trustRecord(processSurroundings());
	if (record === undefined)
		throw new ConfigurationError(`${given} there is no home directory to record it in. Set HOME to an absolute path.`);
	try {
		make(record);
	} catch (cause) {
		if (ConfigurationError.isInstance(cause)) throw cause;
		const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
		throw new ConfigurationError(`${given} ${record} cannot be written (${reason}). Check its permissions.`, { cause });
	}
}
