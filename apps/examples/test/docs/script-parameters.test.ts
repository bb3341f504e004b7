import { describePage } from "./page-code.js";

describePage("script-parameters.md", {
	"Declare them in comments": {
		prints:
			/^\{"type":"integer","minimum":1,"maximum":100,"description":"How many at most\.","default":10\}\n\{"values":\{"limit":"5","tag":\["it's new"\],"json":true\},"positionals":\["4711"\]\}\n\nError \(not run: invalid_arguments\): there is no parameter "state"; near it: status; limit must be a whole number from 1 to 100, not "many"\n$/,
	},
	"Declare them in SKILL.md": { prints: /^0 \{'to': \['ann@example\.org'\], 'text': '--help\\n'\}\n\n$/ },
	"What a script says of itself": { prints: /^undefined\ntrue\n$/ },
});
