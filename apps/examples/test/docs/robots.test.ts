import { describePage } from "./page-code.js";

describePage("robots.md", {
	"Make one, and ask it": { prints: /^Take an umbrella\. stop\n\{ city: 'Bern' \} It rains in Bern\. 20\n$/ },
	"Run it": { prints: /^aborted false Once upon a time there ?\nstop true 4\n$/ },
	"Answers as data": { prints: /^21\n$/ },
	"What was said": {
		prints:
			/^user I am (Ann|Bob)\.\nassistant Hello (Ann|Bob)\.\nuser I am (Ann|Bob)\.\nassistant Hello (Ann|Bob)\.\nuser Who are we\?\nassistant You are Ann and Bob\.\n0\n$/,
	},
	"Change it": { prints: /^system 0\.7 1\nuser 0\.9 1\n$/ },
	"Files with a message": {
		prints: /^How many rows has this\?\n\nsales\.csv:\n\nmonth,sum\nMay,7\n\n\n\[file image\/png\]\n\n\[file dot\.jpg\]\n$/,
	},
	Listen: {
		prints:
			/^calls roll \{\}\ncalls rol \{\}\nreads (roll 4 false\nreads rol .* true|rol .* true\nreads roll 4 false)\nsays Four ?\n(says .*\n)+$/,
	},
});
