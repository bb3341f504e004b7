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
	const plain = inOneForm(text).toLowerCase().replaceAll("’", "'").replaceAll(/\s+/g, " ").trimStart();
	const open = withoutLastSigns(plain);
	const ending = ENDINGS.find((words) => open.endsWith(words)) ?? "";
	return withoutLastSigns(open.slice(0, open.length - ending.length))
		.replace(OPENING, "")
		.replaceAll(SHORT_IS, "$1 is ");
}

/**
 * Letters that are only wide, narrow or joined. Unicode knows many more "compatible" forms, and they say something else: to it 10² is 102, and
 * 1½ is 11⁄2.
 */
const OTHER_FORMS = /[\uFF00-\uFFEF\uFB00-\uFB06]+/g;

const inOneForm = (text: string): string => text.replaceAll(OTHER_FORMS, (letters) => letters.normalize("NFKC")).normalize("NFC");

/** What is a factorial, or may be one, where it stands behind a number. */
const FACTORIAL = /^[ !]*!/;

/** By hand: a pattern that is bound to the end takes quadratic time on a text that is full of such signs. */
function withoutLastSigns(text: string): string {
	let end = text.length;
	while (end > 0 && LAST_CHARACTERS.includes(text[end - 1] ?? "")) end -= 1;
	const [factorial = ""] = /[\p{N})\]]$/u.test(text.slice(Math.max(0, end - 2), end)) ? (FACTORIAL.exec(text.slice(end)) ?? []) : [];
	return text.slice(0, end) + factorial;
}
