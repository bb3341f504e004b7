import { describePage } from "./page-code.js";

describePage("skill-roots.md", {
	"In code": { prints: /^greet own \[\]\ntrue\n1\n$/ },
	"While a program runs": { prints: /^\[ 'greet' \] 0 0\nGreets people\.\n$/ },
});
