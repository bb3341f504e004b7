import { describePage } from "./page-code.js";

// the input of these programs has ended: nobody answers, and the default is taken
describePage("asking-people.md", {
	"At a terminal": {
		prints: /^\[deployer\] Where shall it go\?\n {2}1\) staging\n {2}2\) production\nAnswer \(1-2\) \[staging\]: \nstaging On its way\.\n$/,
	},
	Elsewhere: { prints: /^janitor asks: Delete 3 files\? \(yes or no\) false\nyes\n$/ },
});
