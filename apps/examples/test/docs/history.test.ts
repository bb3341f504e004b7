import { describePage } from "./page-code.js";

describePage("history.md", {
	"Read it, keep it, go on with it": { prints: /^user true\nassistant true\n0 2\n$/ },
	"Search it": { prints: /^0 user true\n1 assistant true\n$/ },
	"Make it shorter": {
		prints:
			/^user Which trees stand in my garden\?\nassistant There are apple trees\. \(\d+ characters before\)\nuser How do I prune [\s\S]*\nassistant Apple trees need pruning in late winter\.\n$/,
	},
	"Make it shorter by itself": { prints: /^0 true\n4\n$/ },
	"Know when two answers say the same": { prints: /^true true\n0\n$/ },
});
