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

/**
 * Each character of a text that a terminal would obey or that nobody would see: control characters, marks that turn the direction of what follows, and what
 * Unicode says is not to be shown (`Default_Ignorable_Code_Point`: fillers, soft hyphens, tags, selectors, characters to come), but for what is needed where it is.
 */
export const UNSEEN: RegExp = new RegExp(String.raw`${CONTROLS}|(?!${NEEDED})\p{Default_Ignorable_Code_Point}`, "gu");
