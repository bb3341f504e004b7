import { describePage } from "./page-code.js";

describePage("tools.md", {
	"Make a tool, give it to a robot": { prints: /^\{"feet":328\.084\}\nAbout 328 feet\.\n$/ },
	"Say what arguments it takes": { prints: /^5 pages about leave\nError \(invalid arguments\): most: 0 is less than 1\.\n$/ },
	"What a tool is told": {
		prints:
			/^Lift off, nobody\.\nrun\.started part\.created( tool_call\.output\.delta)+ countdown\.done part\.completed run\.completed stream\.ended\n$/,
	},
	"What the model reads": {
		prints:
			/^\{"rows":\[1,2\]\}\nError \(probe\): the disk is full\nError \(probe\): its result cannot be written as JSON .*BigInt.*\nError \(timed out\): the tool was given 20 ms .*\n$/,
	},
	"Calls side by side": {
		prints:
			/^run: the books are closed\nfetch_page slow\nfetch_page quick\nfetch_page Error \(timed out\): .*500 ms.*\nrecord Error \(record\): the books are closed\nfetch_page other\nquick slow other\nSorry about the books\.\n$/,
	},
	"Hold tools together": {
		prints:
			/^read_file search 2 false 2\nThe manifest has no tool "serch"\. Did you mean "search"\? Available: read_file, search\.\n2 \{"name":"search".*\}\n$/,
	},
});
