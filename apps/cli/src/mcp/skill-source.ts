import { ProtocolError, ProtocolErrorCode, type Resource } from "@modelcontextprotocol/server";
import { SKILL_LIMITS, type Skill, type SkillReadResult, type SkillSource, skillEntry } from "@modelcontextprotocol/server/ext/skills";
import { type AgentSkill, bundleDigest, readSkillFile, skillFiles } from "@robot-lab/core";
import { errorText } from "../exit.js";
import { printable, printableLine } from "../render/printable.js";
import type { ServedSkills } from "./served-skills.js";
import { parseSkillUri, skillUri } from "./skill-uri.js";

/** Each entry has the digests of all its files, which are read for them. */
const PAGE = 50;

/** In base64 it still fits into the 10 MiB that clients take in one message. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

/** A list of more files helps nobody; what is beyond them is read by its address all the same. */
const MOST_LISTED_FILES = 1000;

/**
 * The skills for clients with the skills extension (SEP-2640), and their files as resources for those without. Nothing is read before somebody asks,
 * and a skill is digested once, until it changes.
 *
 * @param onFlaw Told of a skill that cannot be listed, which is left out.
 */
export function skillSource(served: ServedSkills, onFlaw: (skill: AgentSkill, message: string) => void): SkillSource {
	const entries = new WeakMap<AgentSkill, Promise<Skill | undefined>>();
	const entryOf = (skill: AgentSkill): Promise<Skill | undefined> => {
		const known = entries.get(skill);
		if (known !== undefined) return known;
		const entry = readEntry(skill).catch((error) => void onFlaw(skill, errorText(error)));
		entries.set(skill, entry);
		return entry;
	};
	const find = async (uri: string): Promise<{ readonly skill: AgentSkill; readonly path: string } | undefined> => {
		const named = parseSkillUri(uri);
		const skill = named && (await served.current).skills.get(named.skill);
		return skill && { skill, path: named.path };
	};
	return {
		list: async ({ cursor }) => {
			const skills = [...(await served.current).skills.values()];
			// skills come and go between two pages: a name stays where it was, a number does not
			const start = cursor === undefined ? 0 : skills.filter(({ name }) => name <= cursor).length;
			const page = skills.slice(start, start + PAGE);
			const listed = await Promise.all(page.map(entryOf));
			const last = start + PAGE < skills.length ? page.at(-1)?.name : undefined;
			return { skills: listed.filter((entry) => entry !== undefined), ...(last !== undefined && { nextCursor: last }) };
		},
		get: async (uri) => {
			const found = await find(uri);
			return found?.path === "SKILL.md" ? entryOf(found.skill) : undefined;
		},
		read: async (uri) => {
			const found = await find(uri);
			return found && readFile(found.skill, found.path);
		},
		listResources: async () => {
			let left = MOST_LISTED_FILES;
			const resources: Resource[] = [];
			for (const skill of (await served.current).skills.values()) {
				const { name, description } = skill;
				const files = left > 0 ? (await skillFiles(skill)).slice(0, left) : [];
				left -= files.length;
				resources.push({ uri: skillUri(name), name, description: printable(description), ...mimeTypeOf("SKILL.md") });
				for (const file of files)
					resources.push({ uri: skillUri(name, file), name: printableLine(`${name}/${file}`), ...mimeTypeOf(file) });
			}
			return resources;
		},
	};
}

const mimeTypeOf = (path: string): { mimeType?: string } => (path.endsWith(".md") ? { mimeType: "text/markdown" } : {});

/** Dotfiles and links are no part of what is listed, as in the catalogs of the protocol's own library. */
async function readEntry(skill: AgentSkill): Promise<Skill> {
	const { files } = await bundleDigest(skill.path);
	const names = Object.keys(files).filter((name) => !/(^|\/)\./.test(name) && !files[name]?.startsWith("link:"));
	if (names.length > SKILL_LIMITS.files) throw new Error(`It has more than ${SKILL_LIMITS.files} files.`);
	const contents: Record<string, Uint8Array> = Object.create(null);
	let left = SKILL_LIMITS.bytes;
	for (const name of names) {
		const read = await readSkillFile(skill, name, left + 1);
		if (!read.ok) throw new Error(read.message);
		left -= read.bytes.length;
		if (left < 0) throw new Error(`Its files have more than ${SKILL_LIMITS.bytes / 1024 / 1024} MiB together.`);
		contents[name] = read.bytes;
	}
	return skillEntry(skill.name, contents);
}

async function readFile(skill: AgentSkill, path: string): Promise<SkillReadResult> {
	const read = await readSkillFile(skill, path, MAX_READ_BYTES);
	if (!read.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, read.message);
	if (read.size > read.bytes.length)
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The file is larger than ${MAX_READ_BYTES / 1024 / 1024} MiB.`);
	const mimeType = mimeTypeOf(path);
	const text = textOf(read.bytes);
	return text === undefined ? { bytes: read.bytes, ...mimeType } : { text, ...mimeType };
}

/** Only what is the same bytes again: clients hold it to its digest. */
function textOf(bytes: Buffer): string | undefined {
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return undefined;
	}
}
