import { join } from "node:path";
import { Capabilities, type CapabilitiesInit, type ConfigDraft, configure, reloadConfig } from "@robot-lab/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { bubblewrapOptions } from "../../src/bubblewrap/options.js";
import { readBox } from "../../src/explain/box.js";
import type { ExplainOptions, Explanation } from "../../src/explain/explanation.js";
import { parseQuestion } from "../../src/explain/question.js";
import { Sandbox } from "../../src/index.js";
import { pretendLinux } from "../bubblewrap/pretend-linux.js";
import { facts } from "../seatbelt/pretend-mac.js";
import { put, workshop } from "../support/workshop.js";

interface Asked extends Partial<Omit<ExplainOptions, "capabilities">> {
	readonly grant?: CapabilitiesInit;
	readonly sandbox?: ConfigDraft["sandbox"];
}

function explained({ grant = {}, sandbox = {}, ...options }: Asked): Promise<Explanation> {
	onTestFinished(() => {
		reloadConfig();
	});
	configure({ sandbox: { enabled: true, fsRead: ["/"], ...sandbox } });
	return Sandbox.explain({ capabilities: new Capabilities(grant), skillDir: "/skills/s", platform: "linux", ...options });
}

const QUESTIONS = [
	"read /etc/shadow",
	"write ~/.bashrc",
	"run bash",
	"connect 192.0.2.1:1",
	"connect /run/x",
	"listen 1",
	"resolve a",
	"env A_TOKEN",
	"signal others",
];

describe("Sandbox.explain()", () => {
	it.each([
		["sandbox.enabled is not true", { sandbox: { enabled: false } }],
		["the bundle is trusted (trust: core)", { grant: { trust: "core" } }],
		['sandbox.backend is "none"', { sandbox: { backend: "none" } }],
		['sandbox.backend "auto" confines on macOS only, and this is linux', {}],
	] as const)("says that nothing is denied where nothing confines, because %s", async (because, asked) => {
		const explanation = await explained({ ...asked, questions: QUESTIONS });
		expect(explanation).toMatchObject({ strategy: "none", because });
		expect(explanation.answers.map(({ allowed, rule }) => `${allowed}: ${rule}`)).toEqual(QUESTIONS.map(() => "true: nothing confines"));
	});

	it.each([
		["linux", "none", "4,095"],
		["linux", "bubblewrap", "4,095"],
		["darwin", "none", "1,023"],
		["darwin", "seatbelt", "1,023"],
	] as const)("says at once that no kernel takes what is too long, on %s by %s", async (platform, backend, longest) => {
		const host = { hostFacts: facts(), bubblewrapHost: pretendLinux({ existing: new Set(["/skills/s"]) }) };
		const questions = ["read", "write", "delete"].flatMap((verb) => [`${verb} ${"d/".repeat(500_000)}`, `${verb} ${"n".repeat(256)}`]);
		const { answers } = await explained({ platform, sandbox: { backend }, ...host, questions });
		const [path, name] = [`the kernel takes no path of more than ${longest} bytes`, "the kernel takes no name of more than 255 bytes"];
		expect(answers.map(({ allowed, rule }) => `${allowed}: ${rule}`)).toEqual(
			questions.map((_, index) => `false: ${index % 2 === 0 ? path : name}`),
		);
	});

	it("says of an unconfined script which variables it is spared", async () => {
		const { answers } = await explained({ sandbox: { env: "scrub" }, questions: ["env A_TOKEN", "env HOME"] });
		expect(answers.map(({ allowed }) => allowed)).toEqual([false, true]);
	});

	it("says which limits do not hold because nothing is enabled, and rejects where one cannot be held", async () => {
		const grant = { limits: { memoryMb: 5, processes: 3, outputBytes: 9 } };
		const { notes } = await explained({ grant, sandbox: { enabled: false } });
		expect(notes).toEqual([expect.stringMatching(/do not hold.*: memoryMb, processes$/)]);
		await expect(explained({ grant, platform: process.platform })).rejects.toMatchObject({ code: "grant_not_expressible" });
	});

	it("can be written as JSON and read again, with what was asked, allowed at most, given and refused", async () => {
		const directory = workshop();
		const grant = { fsRead: [directory, "/etc"], network: true, timeout: "soon" };
		const explanation = await explained({ grant, sandbox: { fsRead: [directory] }, questions: ["env HOME"] });
		expect(JSON.parse(JSON.stringify(explanation))).toMatchObject({
			platform: "linux",
			declared: { fsRead: [directory, "/etc"], network: true, timeout: 60 },
			ceiling: { fsRead: [directory], network: false },
			grant: {
				fsRead: [directory],
				network: false,
				refused: [
					{ field: "fsRead", path: "/etc", reason: expect.stringContaining("is not below") },
					{ field: "network", reason: "the ceiling has no network" },
				],
				diagnostics: [expect.stringContaining("timeout")],
			},
			answers: [{ question: "env HOME", allowed: true }],
		});
	});

	it("says for another computer what holds less than was asked for", async () => {
		const host = pretendLinux({ existing: new Set(["/w", "/skills/s"]) });
		const asked = { grant: { fsWrite: ["/w"] }, sandbox: { fsWrite: ["/w"], backend: "bubblewrap" as const }, bubblewrapHost: host };
		expect((await explained(asked)).notes).toEqual([expect.stringMatching(/^In "\/w" a script can make these/)]);
		const held = { grant: { limits: { memoryMb: 5 } }, platform: process.platform === "darwin" ? ("linux" as const) : ("darwin" as const) };
		const backend = held.platform === "darwin" ? "seatbelt" : "bubblewrap";
		expect((await explained({ ...held, sandbox: { backend } })).notes).toEqual([expect.stringMatching(/memoryMb$/)]);
	});

	it.each([
		["unsupported_platform", { sandbox: { backend: "seatbelt" } }],
		["unsupported_platform", { sandbox: { require: true } }],
		["invalid_grant", { platform: "darwin", grant: { fsWrite: ["/"] }, sandbox: { fsWrite: ["/"] }, hostFacts: facts() }],
		["invalid_grant", { sandbox: { backend: "bubblewrap", fsWrite: ["/"] }, grant: { fsWrite: ["/"] } }],
		["grant_not_expressible", { sandbox: { backend: "bubblewrap", fsWrite: ["/"] }, grant: { fsWrite: ["/nowhere/at/all"] } }],
		["grant_not_expressible", { sandbox: { backend: "bubblewrap" }, grant: { fsRead: ["/proc"] } }],
	] as const)("rejects with %s instead of explaining what would not be run: %j", async (code, asked) => {
		await expect(explained({ ...(asked as Asked), questions: ["read /x"] })).rejects.toMatchObject({
			name: "SandboxUnavailableError",
			code,
		});
	});

	it.skipIf(process.platform !== "linux")(
		"says why nothing would be run here, where bubblewrap is chosen and missing (Linux)",
		async () => {
			const { PATH } = process.env;
			process.env.PATH = workshop();
			onTestFinished(() => {
				process.env.PATH = PATH;
			});
			const { obstacle } = await explained({ sandbox: { backend: "bubblewrap" } });
			expect(obstacle).toMatch(/^Scripts are not run here: bwrap is in no directory of PATH/);
		},
	);

	it("opens what a command's interpreter is made of, and nothing of it without the command", async () => {
		const directory = workshop();
		const tool = put(join(directory, "tool"), "#!/bin/sh\n", 0o755);
		const skillDir = join(directory, "skill");
		const questions = [`read ${tool}`];
		const asked = { skillDir: put(join(skillDir, "SKILL.md"), "x").slice(0, -9), questions, platform: "darwin" as const };
		expect((await explained(asked)).answers[0]?.allowed).toBe(false);
		expect((await explained({ ...asked, command: [tool, "x"] })).answers[0]).toMatchObject({ allowed: true });
	});
});

describe("parseQuestion()", () => {
	it.each([
		["read a b", { verb: "read", path: "a b" }],
		["  delete\t~/x  ", { verb: "delete", path: "~/x" }],
		["run git", { verb: "run", program: "git" }],
		["connect [::1]:80", { verb: "connect", host: "::1", port: 80 }],
		["connect a.example:65535", { verb: "connect", host: "a.example", port: 65_535 }],
		["connect ./socket", { verb: "connect", socket: "./socket" }],
		["connect ~/x:1", { verb: "connect", socket: "~/x:1" }],
		["signal others", { verb: "signal" }],
		["env A", { verb: "env", name: "A" }],
	])("reads %j", (text, question) => {
		expect(parseQuestion(text)).toEqual(question);
	});

	it.each(
		[
			"",
			" ",
			"read",
			"READ x",
			"fly home",
			"connect example.com",
			"connect example.com:0",
			"connect a:65536",
			"connect a/b:1",
			"connect ::1:80",
		].concat(
			"listen",
			"listen http",
			"listen -1",
			"listen 70000",
			"signal",
			"signal 1",
			"env A=B",
			"env A B",
			"resolve a b",
			"read a\0b",
			"toString x",
			`${"x".repeat(5000)} y`,
		),
	)("does not guess what %j means, and lists what can be asked", (text) => {
		expect(() => parseQuestion(text)).toThrow(
			expect.objectContaining({
				name: "ConfigurationError",
				code: "question_unknown",
				message: expect.stringMatching(/cannot be asked: .*read PATH.*signal others/s),
			}),
		);
	});
});

describe("readBox()", () => {
	it("counts the directories that are made for themselves and for what lies in them", () => {
		const { directories, links, files } = readBox([
			["--dir", "/a/b"],
			["--symlink", "x", "/c/d"],
			["--file", "6", "/e/f"],
			["--tmpfs", "/g/h"],
		]);
		expect([...directories].sort()).toEqual(["/", "/a", "/a/b", "/c", "/e", "/g"]);
		expect([[...links], [...files]]).toEqual([[["/c/d", "x"]], ["/e/f"]]);
	});
});

describe("bubblewrapOptions()", () => {
	it("takes the argument list apart without guessing from what operands look like", () => {
		expect(bubblewrapOptions(["--clearenv", "--setenv", "A", "--bind", "--ro-bind", "/a", "/b"])).toEqual([
			["--clearenv"],
			["--setenv", "A", "--bind"],
			["--ro-bind", "/a", "/b"],
		]);
		expect(() => bubblewrapOptions(["--unheard-of"])).toThrow("--unheard-of");
	});
});
