import { type ApprovalRequest, Capabilities } from "@robot-lab/core";
import { expect, it } from "vitest";
import { approvalQuestion } from "../../src/render/approval-question.js";

const EVIL = "x\n  Gets     nothing\u001b[2J\u202e";

it("gives every text of a stranger one line behind its label, without what a terminal would obey", () => {
	const grant = new Capabilities({ fsRead: [`/${EVIL}`, "/a", "/b", "/c", "/d", "/e"], network: true });
	const request: ApprovalRequest = {
		skill: EVIL,
		path: `/${EVIL}`,
		digest: `sha256:${"a".repeat(64)}`,
		files: { [EVIL]: "" },
		declared: new Capabilities({ fsWrite: EVIL }),
		grant,
		confined: true,
		tool: EVIL,
		input: { args: [EVIL, "y".repeat(10_000)] },
		reason: "files_changed",
		changes: { added: [EVIL], removed: [], changed: Array.from({ length: 1000 }, (_, index) => `f${index}`) },
	};
	const question = approvalQuestion(request);
	const lines = question.split("\n");
	expect(lines.map((line) => line.slice(0, 9).trimEnd())).toEqual(["May scrip", "Skill", "Script", "Asks for", "Gets", "Why"]);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
	expect(question).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
	expect(question).toContain('changed "f0", "f1", "f2", "f3", "f4" and 995 more; added "x');
	expect(question).toContain('"/d" and 1 more; the network');
	expect(question.length).toBeLessThan(3_000);
	expect(approvalQuestion({ ...request, confined: false })).toMatch(/^Gets {5}everything/m);
});
