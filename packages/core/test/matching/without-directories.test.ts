import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SkillMatcher } from "../../src/matching/skill-matcher.js";
import { withoutDirectories } from "../../src/matching/without-directories.js";
import { skillsOf } from "./skills-of.js";

describe("withoutDirectories()", () => {
	it.each([
		["count the words of /home/somebody/Projects/customer-portal/backend/notes.txt, please", "count the words of notes.txt, please"],
		["look at `src/lib/index.ts`.", "look at `index.ts`."],
		["(see ./docs/setup.md) and ../../lib/README.md!", "(see setup.md) and README.md!"],
		["open ~/Documents/taxes/2024.pdf", "open 2024.pdf"],
		["what fills /var/log/nginx/?", "what fills ?"],
		["what fills /var/log/nginx/", "what fills nginx"],
		[String.raw`turn C:\Users\somebody\Desktop\plan.docx round`, "turn plan.docx round"],
		[String.raw`copy \\server\share\plan.docx`, "copy plan.docx"],
		["lint .github/workflows/ci.yml", "lint .github ci.yml"],
		["mend ~/.ssh/config", "mend .ssh config"],
		["https://user:secret@github.com:443/acme/app/pull/how-it-works.md?plain=1#top", "github how-it-works.md"],
		["summarise https://example.com", "summarise example"],
		["example.com/a/b/page.html", "example page.html"],
		["ask http://localhost:3000/health", "ask localhost health"],
		["all of src/**/*.ts", "all of *.ts"],
		["file:///home/somebody/notes.txt", "notes.txt"],
	])("gives %j as %j", (text, seen) => expect(withoutDirectories(text)).toBe(seen));

	it.each([
		"read/write, and/or, CI/CD, TCP/IP, 24/7, 2024/05/06",
		"text/html application/vnd.api+json",
		"@robot-lab/core",
		"/log-report why?",
		"/ // \\ ~/ ./ .. ...",
		"he/she/they ../README.md",
		"x/y/z",
	])("leaves %j as it is", (text) => expect(withoutDirectories(text)).toBe(text));

	it.each([
		"/".repeat(200_000),
		"a/".repeat(100_000),
		"a.".repeat(100_000),
		`${"a".repeat(200_000)}://`,
		`x://${"@".repeat(200_000)}`,
		"\\/".repeat(100_000),
		"/a.b".repeat(50_000),
	])("reads the long text %# in one go", (text) => expect(withoutDirectories(text).length).toBeLessThanOrEqual(text.length));
});

describe("SkillMatcher whose messages name files", () => {
	const set: { readonly skills: Readonly<Record<string, string>>; readonly messages: readonly (readonly [string, string | null])[] } =
		JSON.parse(readFileSync(new URL("matcher-messages.json", import.meta.url), "utf8"));
	const places = [
		"/home/somebody/Projects/customer-portal/backend/src/modules/reports/",
		"/private/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/robot-lab-Yx81aQ/",
		`${String.raw`C:\Users\somebody\Documents\Invoices and Meetings\2024`}\\`,
		"customer-portal/backend/src/modules/deployment/",
	];

	it.each(places)("answers as it does without the directories: %s", async (place) => {
		const matcher = new SkillMatcher({ skills: await skillsOf(set.skills) });
		const answer = async (message: string): Promise<unknown> =>
			(await matcher.match(message)).map(({ skill, tier, confidence }) => [skill.name, tier, confidence]);
		for (const [message] of set.messages.slice(0, 20)) {
			// a blank in a path is the end of what can be known of it
			const near = place.includes(" ") ? "Documents\\Invoices and " : "";
			expect(await answer(`${message} "${near}${place.split(" ").at(-1)}input.txt"`), message).toEqual(
				await answer(`${message} "${near}input.txt"`),
			);
		}
	});

	it("activates the skill that surely fits wherever the file lies", async () => {
		const skills = await skillsOf({ "word-count": "Count the words, lines and letters of a text file.", other: "Draw a chart of sales." });
		for (const place of ["", ...places]) {
			const [match] = await new SkillMatcher({ skills }).match(`Count the words of the file ${place}notes.txt`);
			expect([match?.skill.name, match?.tier]).toEqual(["word-count", "active"]);
		}
	});
});
