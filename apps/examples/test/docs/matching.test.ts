import { describePage } from "./page-code.js";

describePage("matching.md", {
	"Match a message": { prints: /^log-report active 0\.\d\d 0\.\d\d\n/ },
	"When the embedder fails": { prints: /^log-report lexical-v2 failed far-away failed: no connection\n$/ },
	Embedders: { prints: /^example\/lengths 0\n$/ },
	"Skills by name": { prints: /^\{ names: \[ 'log-report' \], message: 'who failed most\?' \}\n\[ 'log-report' \]\n$/ },
});
