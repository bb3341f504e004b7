import { describePage } from "./page-code.js";

describePage("networks.md", {
	"Tasks and what they depend on": { prints: /^done Shorten it and mend the date\.\nOne date is wrong\. done\n$/ },
	"What a robot is asked": { prints: /^Ein Gedicht über Tee\.\ntrue\n$/ },
	"Optional tasks and routing": {
		prints:
			/^\[ 'billing' \] skipped We are sorry: you get it back\.\nsupport \(4 tasks\)\n {2}classifier: done, n ms\n {2}billing \[accountant\], when activated: done, n ms\n {2}technical \[engineer\], when activated: skipped\n {2}answer \[writer\], after classifier, billing, technical: done, n ms\n$/,
	},
	"When a task fails": {
		prints: /^news done 2\nprices done 1\nsports failed 1\nleague blocked 0\npage done 1\nfailed Prices are not known today\.\n$/,
	},
	"What they know together": { prints: /^finder a leak\na leak\n\{ over: true \}\n$/ },
	"Draw it": {
		prints:
			/^Execution plan of build: at most 16 at once, each as soon as what it waits for has ended\.\nPhase 1: plan\nPhase 2: front, back\nPhase 3: test\nflowchart TD\n[\s\S]* {2}t0 --> t1\n[\s\S]*true\n$/,
	},
	"Robots in other threads": { prints: /^A draft\.\n$/ },
	"A network in a file": {
		prints:
			/^\[ 'billing' \] We are sorry: you get it back\.\n\[\{"type":"text","text":"Answer in English: My bill is wrong\.\\nThe accountant says: You were charged twice\."\}\]\n$/,
	},
});
