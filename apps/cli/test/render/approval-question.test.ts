import { type ApprovalRequest, Capabilities } from "@robot-lab/core";
import { expect, it } from "vitest";
import { approvalQuestion } from "../../src/render/approval-question.js";

const EVIL = "x\n  Gets     nothing\u001b[2J\u202e";

it("gives every text of a stranger one line behind its label, without what a terminal would obey", () => {
	const grant = new Capabilities({ fsRead: ["/w/docs/a", `/w/${EVIL}`, "/w/docs", "/home/v", "/w/e"], network: true });
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
	const question = approvalQuestion(request) ?? "";
	const lines = question.split("\n");
	expect(lines.map((line) => line.slice(0, 9).trimEnd())).toEqual(["May scrip", "Skill", "Script", "Asks for", "Gets", "Why"]);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
	expect(question).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
	expect(question).toContain('changed "f0", "f1", "f2", "f3", "f4" and 995 more; added "x');
	expect(question).toMatch(/^Gets {5}the network; reading "\/w\/x\\n Gets .*\\u202e", "\/w\/docs", "\/home\/v", "\/w\/e"$/m);
	expect(question).toMatch(/^Script .*"args":\["x.*…y+"\]\}$/m);
	expect(question.length).toBeLessThan(3_000);
	expect(approvalQuestion({ ...request, confined: false })).toMatch(/^Gets {5}everything/m);
});

const PLAIN: ApprovalRequest = {
	skill: "x",
	path: "/b/x",
	digest: `sha256:${"a".repeat(64)}`,
	files: {},
	declared: new Capabilities(),
	grant: new Capabilities(),
	confined: true,
	tool: "x",
	input: {},
	reason: "first_run",
	changes: { added: [], removed: [], changed: [] },
};

it("leaves nothing of the bundle's path and of what it gets out, and is no question where that is too much for one", () => {
	const path = `/${"p".repeat(900)}/x`;
	const fsWrite = Array.from({ length: 40 }, (_, index) => `/w/${index}`);
	const question = approvalQuestion({ ...PLAIN, path, grant: new Capabilities({ fsWrite: [...fsWrite, "/w/7/below", "/home"] }) }) ?? "";
	expect(question).toContain(`in ${path} (`);
	expect(question).toContain(`writing ${["/home", ...fsWrite].map((each) => JSON.stringify(each)).join(", ")}\n`);
	const many = Array.from({ length: 200 }, (_, index) => `/w/a-rather-long-name-of-a-directory-${index}`);
	expect(approvalQuestion({ ...PLAIN, grant: new Capabilities({ fsRead: many }) })).toBeUndefined();
	const declared = new Capabilities({ fsRead: [...many, "~", "."] });
	expect(approvalQuestion({ ...PLAIN, declared })).toMatch(/^Asks for reading "~", .* and 194 more\nGets {5}nothing$/m);
});
