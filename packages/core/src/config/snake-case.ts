/** `fsRead` as files spell it. */
export function snakeCase(key: string): string {
	return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
