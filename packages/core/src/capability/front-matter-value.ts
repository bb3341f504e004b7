/**
 * One front matter key: in snake_case, as it is documented, else in the spelling given, else in camelCase. `null` counts as absent,
 * `false` does not. A reader of the bundle looks for the documented key, so no other spelling may overrule it.
 */
export function frontMatterValue(frontMatter: unknown, key: string, fallback: unknown): unknown {
	const [first] = presentSpellings(frontMatter, key);
	return first === undefined ? fallback : (frontMatter as Record<string, unknown>)[first];
}

/** What to say of a key that is there in more than one spelling; nothing for others. */
export function spellingProblems(frontMatter: unknown, key: string): readonly string[] {
	const [used, ...others] = presentSpellings(frontMatter, key);
	return others.map((other) => `${used}: is written as ${other} too; ${other} is not used`);
}

/** The keys that a field may stand under, the one that counts first at the front, each once. */
export const spellingsOf = (key: string): readonly string[] => [...new Set([snakeCase(key), key, camelCase(key)])];

function presentSpellings(frontMatter: unknown, key: string): readonly string[] {
	if (typeof frontMatter !== "object" || frontMatter === null) return [];
	return spellingsOf(key).filter((spelling) => {
		const value = Object.hasOwn(frontMatter, spelling) ? (frontMatter as Record<string, unknown>)[spelling] : undefined;
		return value !== undefined && value !== null;
	});
}

const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const camelCase = (key: string): string => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
