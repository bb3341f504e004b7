import { describePage } from "./page-code.js";

describePage("memory.md", {
	"Write, read, listen": {
		prints: /^created 0\.8 undefined analyst\nupdated 0\.9 0\.8 analyst\ndeleted undefined 0\.9 undefined\nundefined false\n$/,
	},
	"Wait for what another writes": { prints: /^1 Water boils\.\nnobody wrote review\n$/ },
	"Listen to many keys": { prints: /^created notes:a\ncreated notes:b\n3\n$/ },
	"Keep it, and go on with it": {
		prints:
			/^\{"data":\{"plan":"free"\},"results":\[\],"messages":\[\],"sessionId":"s-1","custom":\{"user:name":"Ada"\}\}\nAda s-1 free\n$/,
	},
	"Find an earlier answer": { prints: /^Paris 1\nKafka Who wrote The Trial\? undefined 2\n$/ },
	"Keep it elsewhere": { prints: /^write a\n1\n$/ },
});
