import { stemOf } from "../../text/words.js";

/** Words people use for one another when they ask for something. One group a line; a word may stand in several. */
const GROUPS = [
	"add sum total plus",
	"average mean",
	"biggest largest top most highest greatest maximum",
	"book reserve schedule arrange appointment meeting calendar event",
	"build compile",
	"calculate compute arithmetic math evaluate expression",
	"change convert turn transform",
	"check verify validate test inspect",
	"compare difference diff differ",
	"copy duplicate clone",
	"count number many tally",
	"create make generate write produce",
	"delete remove erase drop",
	"directory folder",
	"display list print view",
	"download fetch retrieve",
	"error failure problem bug fault crash",
	"explain describe",
	"file document",
	"find search look locate grep",
	"image picture photo",
	"mail email message send",
	"money currency dollar euro pound exchange",
	"move rename relocate",
	"page website site url link web",
	"picture image photo",
	"read open load content",
	"remind reminder alarm timer notify",
	"resize scale shrink enlarge",
	"shorten summary summarize summarise digest gist brief",
	"song music play track",
	"sort order rank arrange",
	"spell typo grammar spelling",
	"start launch run execute",
	"stock share price quote",
	"text word string",
	"time clock hour timezone",
	"todo task chore item",
	"translate translation language",
	"visitor client user",
	"weather forecast temperature rain sunny snow wind degrees umbrella",
	"word definition define meaning dictionary",
	"zip compress archive",
];

const RELATED = new Map<string, Set<string>>();
for (const group of GROUPS) {
	const stems = group.split(" ").map(stemOf);
	for (const stem of stems) RELATED.set(stem, new Set([...(RELATED.get(stem) ?? []), ...stems]));
}

const LIKE_LENGTH = 5;

/** How much two stems say the same: 1 equal, 0.8 of one family (`summari`, `summar`), 0.6 used for one another, else 0. */
export function likeness(left: string, right: string): number {
	if (left === right) return 1;
	if (sharedStart(left, right) >= Math.max(LIKE_LENGTH, Math.ceil(Math.max(left.length, right.length) * 0.7))) return 0.8;
	return RELATED.get(left)?.has(right) ? 0.6 : 0;
}

function sharedStart(left: string, right: string): number {
	let length = 0;
	while (length < left.length && left[length] === right[length]) length++;
	return length;
}
