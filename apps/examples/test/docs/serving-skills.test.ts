import { describePage } from "./page-code.js";

describePage("serving-skills.md", {
	"In a program with the AI SDK": { prints: /^\[ 'Hello, Ada\.\\n' \]\nShe was greeted\.\n$/ },
});
