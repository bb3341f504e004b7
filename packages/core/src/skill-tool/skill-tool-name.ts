import { createHash } from "node:crypto";

const MAX_NAME = 64;
const HASH_CHARACTERS = 8;

/**
 * The name a model is shown for a skill's script: `<skill>__<script>`. Where that is no name a provider takes (other letters, over
 * 64 characters) or is taken already, it ends in a hash of the whole instead, so that the name does not depend on what else matched.
 */
export function skillToolName(skill: string, script: string, taken: { has(name: string): boolean }): string {
	const whole = `${skill}__${script}`;
	const safe = whole.replaceAll(/[^A-Za-z0-9_-]/g, "_");
	if (safe === whole && safe.length <= MAX_NAME && !taken.has(safe)) return safe;
	let name = hashed(safe, whole);
	for (let salt = 1; taken.has(name); salt++) name = hashed(safe, `${whole} ${salt}`);
	return name;
}

function hashed(safe: string, whole: string): string {
	const hash = createHash("sha256").update(whole).digest("hex").slice(0, HASH_CHARACTERS);
	return `${safe.slice(0, MAX_NAME - HASH_CHARACTERS - 1)}_${hash}`;
}
