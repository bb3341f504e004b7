import { describePage } from "./page-code.js";

describePage("models.md", {
	"Ways to give one": {
		prints: /^Unknown model "antropic\/claude-sonnet-4-5"\. Did you mean "anthropic"\?\nwriter (string|object) stop\n$/,
	},
	Settings: { prints: /^0\.2 2000 \[ 'END' \] 7\n$/ },
	"Without a key": { prints: /^offline: no language model was used; this is what the tool "weather" gave:\n\nclear in Oslo\n$/ },
	"In tests": { prints: /^$/ },
	"When a model fails": {
		prints: /^Here I am\.\nThe model "scripted\/scripted" failed after 2 attempts: Overloaded\. 2 529\n$/,
	},
});
