import { describePage } from "./page-code.js";

describePage("hooks.md", {
	"Write down every tool call": { prints: /^clerk add \{"a":1,"b":2\} 3\n$/ },
	"Refuse a call": { prints: /^Error \(not allowed\): nothing is deleted today\. Tell the user\.\n$/ },
	"Change what goes in and out": { prints: /^1 order, paid with \[card number\]\n$/ },
	"Time what runs": { prints: /^one 1 turn, true\ntwo 1 turn, true\n$/ },
	"When something fails": { prints: /^run Error: not in this house\nrejected: Error: not in this house\n$/ },
});
