import { describePage } from "./page-code.js";

describePage("guards.md", {
	"Stop what goes round in circles": {
		prints:
			/^doom_loop 6\nnot yet\s+Warning: the call of "look" came 3 times in a row with the same arguments\. .*\nError \(not run\): the call of "look" came 3 times in a row .*\n$/,
	},
	"Bound what runs may cost": { prints: /^Two\.\ntokens 2400 of 2000\n1800 0\.0144\nThree\.\n$/ },
	"Keep in mind what was learned": {
		prints: /^1\n\[.*LEARNINGS FROM PREVIOUS RUNS:\\n- The user wants French\. Formal French\.\\n\\nGood morning!"\}\]\n$/,
	},
});
