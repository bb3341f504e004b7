/** What a piece of a message looks like. */
export type TokenKind = "quoted" | "url" | "email" | "flag" | "date" | "time" | "host" | "path" | "number" | "word";

/** A piece of a message. */
export interface Token {
	readonly kind: TokenKind;
	/** As written, without quotes or the full stop of its sentence. */
	readonly text: string;
	/** The number a `number` stands for, digits or a number word. */
	readonly value?: number;
	readonly start: number;
	readonly end: number;
	/** Whether it begins a sentence, where a capital means nothing. */
	readonly initial: boolean;
}

const NUMBER_WORDS = new Map(
	"two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
		.split(" ")
		.map((word, index) => [word, index + 2]),
);
for (const [index, word] of "thirty forty fifty sixty seventy eighty ninety hundred".split(" ").entries())
	NUMBER_WORDS.set(word, (index + 3) * 10);
NUMBER_WORDS.set("dozen", 12).set("thousand", 1_000);

/** Two words joined by a slash that are no path. */
const NO_PATHS = new Set([
	"and/or",
	"he/she",
	"his/her",
	"him/her",
	"either/or",
	"yes/no",
	"on/off",
	"n/a",
	"i/o",
	"tcp/ip",
	"w/o",
	"am/pm",
]);

const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
	["quoted", /"([^"\n]+)"|“([^”\n]+)”|`([^`\n]+)`|«([^»\n]+)»|(?<![\p{L}\p{N}])['‘]([^'’\n]+)['’](?![\p{L}\p{N}])/uy],
	["url", /[a-z][a-z0-9+.-]*:\/\/[^\s<>"'`]+|www\.[^\s<>"'`]+/iy],
	["email", /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/y],
	["flag", /(?<!\S)--?[A-Za-z][\w-]*(?:=\S+)?/y],
	["date", /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?/y],
	["time", /\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?[ap]m\b/iy],
	["host", /\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\w)|localhost\b|(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|edu|gov|app|co|ai|info)\b(?![/.]?\w)/iy],
	["path", /(?:~|\.{1,2})?\/[^\s"'`,;:!?()]*|(?:[\w@.*-]+\/)+[\w@.*-]*|[\w*-]+(?:\.[\w*-]+)*\.[a-z][a-z0-9]{0,6}\b|\.[a-z][\w.-]+/iy],
	["number", /[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\p{L}\d])|[-+]?\d+(?:\.\d+)?(?![\d.]*\p{L}{3})/uy],
	["word", /[\p{L}\p{N}_@#]+(?:['’-][\p{L}\p{N}_]+)*/uy],
];

/** Takes a message apart. Everything between the pieces is space and punctuation. */
export function tokensOf(message: string): Token[] {
	const tokens: Token[] = [];
	let at = 0;
	while (at < message.length) {
		const token = tokenAt(message, at, tokens.at(-1));
		if (token !== undefined) tokens.push(token);
		at = Math.max(at + 1, token?.end ?? 0);
	}
	return tokens;
}

function tokenAt(message: string, at: number, previous: Token | undefined): Token | undefined {
	// a word is never entered in its middle
	if (previous?.end === at && previous.kind === "word" && /[\p{L}\p{N}]/u.test(message[at] ?? "")) return undefined;
	for (const [kind, pattern] of PATTERNS) {
		pattern.lastIndex = at;
		const match = pattern.exec(message);
		if (match === null) continue;
		const text = kind === "quoted" ? match.slice(1).find((group) => group !== undefined) : trimmed(kind, match[0]);
		if (text === undefined || text === "" || (kind === "path" && !isPath(text))) continue;
		const end = kind === "quoted" ? at + match[0].length : at + text.length;
		return made(kind, text, at, end, isInitial(message, at));
	}
	return undefined;
}

function made(kind: TokenKind, text: string, start: number, end: number, initial: boolean): Token {
	const value = kind === "number" ? Number(text.replaceAll(",", "")) : kind === "word" ? NUMBER_WORDS.get(text.toLowerCase()) : undefined;
	return { kind: value === undefined ? kind : "number", text, start, end, initial, ...(value !== undefined && { value }) };
}

const trimmed = (kind: TokenKind, text: string): string => (kind === "url" || kind === "path" ? text.replace(/[.,;:!?)\]]+$/, "") : text);

function isPath(text: string): boolean {
	if (NO_PATHS.has(text.toLowerCase()) || /^[\d./]+$/.test(text)) return false;
	return text !== "/" && !/^(?:e\.g|i\.e|a\.m|p\.m|vs|etc)\.?$/i.test(text) && /\w/.test(text);
}

const isInitial = (message: string, at: number): boolean => /(?:^|[.!?:\n]\s*)["“'‘(]*$/.test(message.slice(Math.max(0, at - 10), at));
