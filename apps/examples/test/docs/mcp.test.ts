import { describePage } from "./page-code.js";

describePage("mcp.md", {
	"Give a robot the tools of a server": { prints: /^helper demo get-sum\nThe sum of 2 and 3 is 5\.\n$/ },
	"In a robot": { prints: /^\[ 'demo idle' \]\nidle\nconnected The sum of 2 and 3 is 5\.\n$/ },
	"Read, and ask for prompts": { prints: /^text\/markdown true\nuser .*Bern.*\n$/ },
	"When a server does not do what it should": { prints: /^unreachable broken true\nfailed\n$/ },
	"Only the servers that fit": { prints: /^\[ 'sums' \] \[ 'connected', 'idle' \]\n$/ },
});
