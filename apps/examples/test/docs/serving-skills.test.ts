import { describePage } from "./page-code.js";

describePage("serving-skills.md", {
	"In a program with the AI SDK": { prints: /^\[ 'Hello, Ada\.\\n' \]\nShe was greeted\.\n$/ },
	"In a program with another framework": {
		prints: /^greet__greet Greets somebody\. \{"type":"object","properties":\{"name":\{.*\nfalse Hello, Ada\.\n\n$/,
	},
});
