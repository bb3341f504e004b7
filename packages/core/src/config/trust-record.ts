import { createHash, randomUUID } from "node:crypto";
import {
	closeSync,
	constants,
	fstatSync,
	fsyncSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeSync,
} from "node:fs";
import { join } from "node:path";
import { otherWriter } from "../paths/open-to-others.js";

/** What is recorded of one project. */
export interface TrustEntry {
	readonly file: string;
	/** Its real path; absent where the entry cannot be believed. */
	readonly project?: string;
	/** Why it cannot be believed, a clause and what to do. */
	readonly flaw?: string;
}

const NAME = /^[0-9a-f]{64}\.json$/;
const MAX_BYTES = 64 * 1024;

/** A file for each project, by a name that follows from its path: two that are recorded at the same time lose nothing of each other. */
const entryFile = (record: string, project: string): string => join(record, `${createHash("sha256").update(project).digest("hex")}.json`);

/** What the directory `record` says of a project, by its real path; nothing where it says nothing. Never throws. */
export function readTrustEntry(record: string, project: string): TrustEntry | undefined {
	return readEntry(record, entryFile(record, project));
}

/** Every project that is recorded, by path, then what is there and cannot be believed. Never throws. */
export function listTrustEntries(record: string): readonly TrustEntry[] {
	const entries = namesIn(record)
		.filter((name) => NAME.test(name))
		.flatMap((name) => readEntry(record, join(record, name)) ?? []);
	const sortedBy = ({ project, file }: TrustEntry): string => (project === undefined ? `1${file}` : `0${project}`);
	return entries.sort((one, other) => (sortedBy(one) < sortedBy(other) ? -1 : 1));
}

/** Records a project. At every moment the entry is there whole or not at all. Throws the file system's error. */
export function writeTrustEntry(record: string, project: string): void {
	mkdirSync(record, { recursive: true, mode: 0o700 });
	const temporary = join(record, `.${randomUUID()}`);
	// Whatever lies there is not followed and not written into, and the rename replaces a link by the entry.
	const descriptor = openSync(temporary, "wx", 0o600);
	try {
		try {
			writeSync(descriptor, `${JSON.stringify({ project })}\n`);
			fsyncSync(descriptor);
		} finally {
			closeSync(descriptor);
		}
		renameSync(temporary, entryFile(record, project));
	} catch (error) {
		rmSync(temporary, { force: true });
		throw error;
	}
}

/** Forgets a project. Throws the file system's error, none where nothing was recorded. */
export function removeTrustEntry(record: string, project: string): void {
	rmSync(entryFile(record, project), { force: true });
}

function namesIn(directory: string): readonly string[] {
	try {
		return readdirSync(directory).sort();
	} catch {
		return [];
	}
}

function readEntry(record: string, file: string): TrustEntry | undefined {
	const flaw = (what: string): TrustEntry => ({ file, flaw: `${JSON.stringify(file)} ${what}. Remove it and trust the project again` });
	let descriptor: number;
	try {
		// Neither through a link nor waiting for whoever would write into a FIFO.
		descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		return code === "ENOENT" || code === "ENOTDIR" ? undefined : flaw(`cannot be read (${code === "ELOOP" ? "it is a link" : code})`);
	}
	try {
		const stats = fstatSync(descriptor);
		if (!stats.isFile() || stats.size > MAX_BYTES) return flaw("is no record of a trusted project");
		const writer = otherWriter(stats);
		if (writer !== undefined) return flaw(writer === "owner" ? "belongs to another user" : "may be written by others");
		const project = projectIn(readFileSync(descriptor, "utf8"));
		return project !== undefined && entryFile(record, project) === file ? { file, project } : flaw("is no record of a trusted project");
	} catch (error) {
		return flaw(`cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
	} finally {
		closeSync(descriptor);
	}
}

function projectIn(text: string): string | undefined {
	try {
		const { project } = JSON.parse(text) as { readonly project?: unknown };
		return typeof project === "string" ? project : undefined;
	} catch {
		return undefined;
	}
}
