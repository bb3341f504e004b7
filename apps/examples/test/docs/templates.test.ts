import { describePage } from "./page-code.js";

const SUPPORT = "Be friendly and brief.\n\nYou work for Acme. The customer has the free plan.\n";

describePage("templates.md", {
	"A template": {
		prints: new RegExp(
			[
				`^0.2 ${SUPPORT}There are no orders.\n\nAnswer in English.`,
				`0.2 ${SUPPORT}- Order 7: sent {{today}}\n\nAnswer in English.\n$`,
			].join("\n"),
		),
	},
	"Template skills": {
		prints: new RegExp(
			[
				"^Be friendly and brief.\n\nLook for what an attacker of a Ruby program could use.\n\nReview this change. \n--",
				`${SUPPORT}There are no orders. \n--\n$`,
			].join("\n"),
		),
	},
});
