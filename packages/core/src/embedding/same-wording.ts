/** What a request may begin with that asks for nothing. */
const OPENING = /^(?:(?:hi|hello|hey|please)[,!]? )*(?:(?:can|could|would) you (?=please |(?:tell|show|give) me |explain ))?(?:please )?/;
const SHORT_IS = /\b(what|where|who|when|how|it|that|there)'s /g;
const ENDINGS = [" please", " thanks", " thank you"] as const;
const LAST_CHARACTERS = " ,.?!…";

/**
 * Whether two requests are one in another dress: case, spacing, the signs at the end, greetings and politeness around it. Nothing else counts as
 * dress, for a single word can turn a question around.
 */
export const haveSameWording = (one: string, other: string): boolean => wordingOf(one) === wordingOf(other);

function wordingOf(text: string): string {
	const plain = text.normalize("NFKC").toLowerCase().replaceAll("’", "'").replaceAll(/\s+/g, " ").trimStart();
	const open = withoutLastSigns(plain);
	const ending = ENDINGS.find((words) => open.endsWith(words)) ?? "";
	return withoutLastSigns(open.slice(0, open.length - ending.length))
		.replace(OPENING, "")
		.replaceAll(SHORT_IS, "$1 is ");
}

/** By hand: a pattern that is bound to the end takes quadratic time on a text that is full of such signs. */
function withoutLastSigns(text: string): string {
	let end = text.length;
	while (end > 0 && LAST_CHARACTERS.includes(text[end - 1] ?? "") && !isFactorial(text, end - 1)) end -= 1;
	return text.slice(0, end);
}

const isFactorial = (text: string, at: number): boolean => text[at] === "!" && /\d/.test(text[at - 1] ?? "");
