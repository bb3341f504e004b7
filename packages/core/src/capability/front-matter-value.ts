/** One front matter key, in the spelling given, in snake_case or in camelCase. `null` counts as absent, `false` does not. */
export function frontMatterValue(frontMatter: unknown, key: string, fallback: unknown): unknown {
	if (typeof frontMatter !== "object" || frontMatter === null) return fallback;
	for (const spelling of new Set([key, snakeCase(key), camelCase(key)])) {
		const value = Object.hasOwn(frontMatter, spelling) ? (frontMatter as Record<string, unknown>)[spelling] : undefined;
		if (value !== undefined && value !== null) return value;
	}
	return fallback;
}

const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const camelCase = (key: string): string => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
