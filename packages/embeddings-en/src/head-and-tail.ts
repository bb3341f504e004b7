/** The beginning and the end of a long text, where a question stands before or after what it is about. */
export function headAndTail(text: string, maxCharacters: number): string {
	if (text.length <= maxCharacters) return text;
	const half = Math.floor(maxCharacters / 2);
	return `${text.slice(0, half)} ${text.slice(-half)}`;
}
