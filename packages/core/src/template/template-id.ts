const MAX_CHARACTERS = 200;

/** Names parted by `/`, each of letters, digits, `_`, `-` and `.`, and none beginning with a dot or a dash. */
const ID = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*(?:\/[\p{L}\p{N}_][\p{L}\p{N}_.-]*)*$/u;

/** Whether `id` can be that of a template. Nothing that can leads out of a directory by its spelling, on any system. */
export function isTemplateId(id: unknown): id is string {
	return typeof id === "string" && id.length <= MAX_CHARACTERS && ID.test(id);
}
