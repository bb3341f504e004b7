import { describePage } from "./page-code.js";

describePage("documents.md", {
	"Keep texts, and find them": { prints: /^returns 0\.\d\d 7\nopening 0\.\d\d undefined\nA parcel abroad takes a week\. 3\n$/ },
	"A tool of it": { prints: /^\[opening\] The shop opens at nine, on Sundays at ten\.\nAt ten \[opening\]\.\n$/ },
	"Words, or what they mean": { prints: /^\[ 'garage' \]\n$/ },
	"Keep it, and read it again": {
		prints: /^\{"documents":\[\{"key":"opening","text":"The shop opens at nine\.","metadata":\{"page":1\}\}\]\}\nopening\n$/,
	},
});
