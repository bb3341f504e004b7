import { describePage } from "./page-code.js";

describePage("skills-in-a-run.md", {
	"A message and its skills": { prints: /^word-count active fits\nword-count active named\nword-count active named\n$/ },
});
