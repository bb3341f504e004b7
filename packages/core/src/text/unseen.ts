/** Controls but tab and line feed, and what else parts lines. */
const CONTROLS = String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]`;

/** Writing in which a joiner changes nothing. */
const UNJOINED = [
	...["Latin", "Greek", "Cyrillic", "Armenian", "Georgian", "Hebrew", "Han", "Hangul", "Hiragana", "Katakana", "Thai", "Lao", "Common"],
	"Inherited",
].map((script) => String.raw`\p{Script=${script}}`);

/** What nobody sees and what is needed all the same, in the one place where it is: letters that join, pictures made of several, variants of a letter. */
const NEEDED = [
	String.raw`(?<=(?![${UNJOINED.join("")}])[\p{L}\p{M}]|[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u200c\u200d]`,
	String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
	String.raw`\ufe0f\u20e3`,
	String.raw`(?<=\p{Ideographic})[\u{e0100}-\u{e01ef}]`,
	String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f]`,
].join("|");

const IGNORABLE = String.raw`\p{Default_Ignorable_Code_Point}`;
// first what is quick to ask: there is little of it in any text
const UNSEEN = new RegExp(`${CONTROLS}|(?=${IGNORABLE})(?!${NEEDED})${IGNORABLE}`, "gu");

/**
 * A text with another in the place of each character that a terminal would obey or that nobody would see: control characters, but for tab and line feed; marks
 * that turn the direction of what follows; what else parts lines; and what Unicode says is not to be shown (`Default_Ignorable_Code_Point`: fillers, soft
 * hyphens, tags, selectors, characters to come), but for what is needed where it is, such as a joiner between letters that join.
 */
export const replaceUnseen = (text: string, replacement: (character: string) => string): string => text.replace(UNSEEN, replacement);
