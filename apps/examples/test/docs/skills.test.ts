import { describePage } from "./page-code.js";

describePage("skills.md", {
	"Granting something to other people's skills": { prints: /^\[ '\.' \] \[ '\.\/logs' \]\n\[\] true\n$/ },
	"Checking bundles": {
		prints: /^2 name_nonstandard true\n2 name_differs_from_directory true\n3 value_unquoted true\n\[ 'yaml_invalid' \]\n$/,
	},
});
