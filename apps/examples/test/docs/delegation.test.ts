import { describePage } from "./page-code.js";

describePage("delegation.md", {
	"Await it, or keep it": { prints: /^writer lead A draft\. true\ncritic false\nToo long\. true\n$/ },
	"Until when": { prints: /^slow 50\n$/ },
	"From inside a tool": { prints: /^lead on top\nexpert beneath\nIt is 42\.\n$/ },
});
