import { describePage } from "./page-code.js";

describePage("approval.md", {
	"In a program": { prints: /^May greet run\? first_run false \[\]\nHello, Ada\.\n\n$/ },
	"Lock files": {
		prints:
			/^Error \(not run: not_approved\): The skill "greet" is not what the lock says: added "scripts\/evil\.js"\. .* Nothing was run\.\n$/,
	},
});
