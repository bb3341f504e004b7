import { describePage } from "./page-code.js";

describePage("scripts.md", {
	"What becomes a tool": {
		prints: /^script_not_executable: count-words\ncount_words: Counts the words of a text that is given as arguments\. 3\n\n$/,
	},
});
