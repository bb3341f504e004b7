import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withApproval } from "../../src/approval/with-approval.js";
import { Capabilities } from "../../src/capability/capabilities.js";
import type { SkillGrant } from "../../src/config/config.js";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { ScriptTool } from "../../src/script/script-tool.js";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import { AgentSkillCatalog } from "../../src/skill/agent-skill-catalog.js";
import { RepeatedScan } from "../../src/skill/repeated-scan.js";
import { toAiSdkTools } from "../../src/skill-tool/ai-sdk-tools.js";
import { skillTools } from "../../src/skill-tool/skill-tools.js";
import { RecordingExecutor } from "../../src/testing/recording-executor.js";
import { runTool } from "../../src/tool/run-tool.js";
import { temporaryBundle } from "../script/bundle.js";

const PLAIN = "---\nname: pdf\ndescription: Public.\n---\n";
const ASKING = `---
name: asks
description: Asks.
fs_read: [/]
fs_write: [/]
network: true
timeout: 30
limits: { memory_mb: 5 }
trust: core
---
`;

let directory: string;
beforeEach(() => {
	directory = temporaryBundle({
		"skills/pdf/SKILL.md": PLAIN,
		"skills/pdf/scripts/read.sh": "#!/bin/sh\ntrue\n",
		"skills/asks/SKILL.md": ASKING,
		"evil/pdf/SKILL.md": PLAIN,
		"evil/pdf/scripts/read.sh": "#!/bin/sh\ntrue\n",
		"docs/a.txt": "a",
	});
});
afterEach(() => {
	reloadConfig();
});

const at = (...names: string[]): string => join(directory, ...names);
const load = (...names: string[]): Promise<AgentSkill> => AgentSkill.load(at(...names, "SKILL.md"));
const grant = (grants: Readonly<Record<string, SkillGrant>>): void => {
	configure({ skills: { grants } });
};
const docs = { fsRead: ["./docs"] } as const;

describe("a grant of the host's", () => {
	it("counts as asked for by the bundle that really lies there, and by no other of its name", async () => {
		grant({ [at("skills/pdf")]: docs });
		const granted = await load("skills", "pdf");
		expect(granted.capabilities).toMatchObject({ fsRead: ["./docs"], fsWrite: [], network: false, timeout: 60, trust: "external" });
		expect(granted.declared.fsRead).toEqual([]);
		const other = await load("evil", "pdf");
		expect(other.capabilities.fsRead).toEqual([]);
		expect(other.declared).toBe(other.capabilities);
	});

	it("is the bundle's by whatever link it is reached, and by a link that the host named; then it has its real path", async () => {
		mkdirSync(at("links"));
		symlinkSync(at("skills/pdf"), at("links/pdf"));
		grant({ [at("skills/pdf")]: docs });
		const linked = await load("links", "pdf");
		expect([linked.path, linked.capabilities.fsRead]).toEqual([at("skills/pdf"), ["./docs"]]);
		grant({ [at("links/pdf")]: docs });
		expect((await load("skills", "pdf")).capabilities.fsRead).toEqual(["./docs"]);
		// where the host's own link leads elsewhere, that is what the host named
		rmSync(at("links/pdf"));
		symlinkSync(at("evil/pdf"), at("links/pdf"));
		expect((await load("skills", "pdf")).capabilities.fsRead).toEqual([]);
		expect((await load("evil", "pdf")).capabilities.fsRead).toEqual(["./docs"]);
	});

	it("leads to nothing else where the link that a skill was found by leads elsewhere later", async () => {
		mkdirSync(at("links"));
		symlinkSync(at("skills/pdf"), at("links/pdf"));
		grant({ [at("skills/pdf")]: docs });
		const [skill] = await new AgentSkillCatalog(at("links")).all();
		rmSync(at("links/pdf"));
		symlinkSync(at("evil/pdf"), at("links/pdf"));
		const executor = new RecordingExecutor();
		using _ = ScriptTool.replaceExecutor(executor);
		for (const tool of (await skill?.scriptTools()) ?? []) await runTool(tool);
		expect(executor.runs.map(({ command, options }) => [command.at(-1), options.skillDir])).toEqual([
			[at("skills/pdf/scripts/read.sh"), at("skills/pdf")],
		]);
	});

	it("takes the place of what the SKILL.md asks for: what it says holds; time and limits stay where it says nothing of them", async () => {
		grant({ [at("skills/asks")]: docs });
		const skill = await load("skills", "asks");
		expect(skill.capabilities).toMatchObject({ fsRead: ["./docs"], fsWrite: [], network: false, timeout: 30, limits: { memoryMb: 5 } });
		expect(skill.declared).toMatchObject({ fsRead: ["/"], fsWrite: ["/"], network: true });
		grant({ [at("skills/asks")]: { timeout: 9, limits: { cpuSeconds: 2 } } });
		expect((await load("skills", "asks")).capabilities).toMatchObject({ fsRead: [], timeout: 9, limits: { cpuSeconds: 2 } });
	});

	it("is what a bundle is held to that the host trusts", async () => {
		configure({ sandbox: { trustCore: [at("skills")] } });
		expect((await load("skills", "asks")).capabilities.isCore).toBe(true);
		grant({ [at("skills/asks")]: docs });
		expect((await load("skills", "asks")).capabilities.isCore).toBe(false);
	});

	it("is bounded by the ceiling as everything that is asked for", async () => {
		configure({ sandbox: { fsRead: [at("docs")], network: false, timeout: 20 } });
		grant({ [at("skills/pdf")]: { fsRead: [at("docs"), "/etc"], network: true, timeout: 99 } });
		const got = (await load("skills", "pdf")).capabilities.intersect(Capabilities.ceiling());
		expect(got).toMatchObject({ fsRead: [at("docs")], network: false, timeout: 20 });
		expect(got.refused.map(({ field, path }) => [field, path])).toEqual([
			["fsRead", "/etc"],
			["network", ""],
		]);
	});

	it("is given for one load, too, and is refused with what is right", async () => {
		grant({ [at("skills/pdf")]: { network: true } });
		const file = at("skills/pdf/SKILL.md");
		const given = { fsRead: ["./docs"] };
		const skill = await AgentSkill.load(file, { grant: given });
		given.fsRead.push("/");
		expect(skill.capabilities).toMatchObject({ fsRead: ["./docs"], network: false });
		const junk: readonly (readonly [unknown, string])[] = [
			[{ fsReed: ["."] }, 'grant has an unknown name "fsReed". Did you mean "fsRead"?'],
			[{ fs_read: ["."] }, 'grant has an unknown name "fs_read"'],
			[{ fsRead: "." }, 'grant.fsRead must be a list of paths, not "."'],
			[{ trust: "core" }, 'grant has an unknown name "trust"'],
			[null, "grant must be a map"],
			[new Capabilities(), "grant has an unknown name"],
		];
		for (const [wrong, message] of junk)
			await expect(AgentSkill.load(file, { grant: wrong as SkillGrant })).rejects.toMatchObject({
				code: "configuration",
				message: expect.stringContaining(message),
			});
	});

	it("reaches every way in which a script is called", async () => {
		grant({ [at("skills/pdf")]: docs });
		const executor = new RecordingExecutor();
		using _ = ScriptTool.replaceExecutor(executor);
		const skill = await load("skills", "pdf");
		const [named] = [...(await skillTools(skill)).values()];
		const [asked] = withApproval(await skill.scriptTools(), skill, { approve: async () => "once" });
		for (const tool of [...(await skill.scriptTools()), named, asked]) if (tool !== undefined) await runTool(tool);
		const [sdk] = Object.values(await toAiSdkTools([skill]));
		await sdk?.execute?.({ args: [] } as never, { toolCallId: "1", messages: [] } as never);
		expect(executor.runs.map(({ options }) => options.capabilities.fsRead)).toEqual(Array(4).fill(["./docs"]));
	});
});

describe("a catalog", () => {
	const codes = async (catalog: AgentSkillCatalog) =>
		(await catalog.diagnostics()).filter(({ code }) => code.startsWith("grant")).map(({ code, path }) => [code, path]);

	it("names a grant where no skill lies, and one bundle that is named twice; the first counts", async () => {
		symlinkSync(at("skills"), at("alias"));
		grant({
			[at("skills/pdf")]: docs,
			[at("alias/pdf")]: { network: true },
			[at("skills/typo")]: docs,
			[at("skills")]: docs,
			[at("skills/pdf/SKILL.md")]: docs,
			[`${at("skills/pdf")}/`]: { network: true },
		});
		const catalog = new AgentSkillCatalog(at("skills"));
		expect((await catalog.find("pdf"))?.capabilities).toMatchObject({ fsRead: ["./docs"], network: false });
		expect(await codes(catalog)).toEqual([
			["grant_repeated", at("alias/pdf")],
			["grant_without_skill", at("skills/typo")],
			["grant_without_skill", at("skills")],
			["grant_without_skill", at("skills/pdf/SKILL.md")],
			["grant_repeated", at("skills/pdf")],
		]);
		grant({});
		catalog.reload();
		expect(await codes(catalog)).toEqual([]);
	});

	it("gives what is granted now once it looks again, also while it is watched", async () => {
		const catalog = new AgentSkillCatalog(at("skills"));
		using _ = catalog.watch();
		const before = await catalog.find("pdf");
		grant({ [at("skills/pdf")]: docs });
		catalog.reload();
		expect([before?.capabilities.fsRead, (await catalog.find("pdf"))?.capabilities.fsRead]).toEqual([[], ["./docs"]]);
	});

	it("reads a bundle again that looks as it did where something else is granted to it", async () => {
		const roots = new AgentSkillCatalog(at("skills")).roots();
		const looks = new RepeatedScan();
		const reach = async () => (await looks.look(roots)).scan.entries.get("pdf")?.skill.capabilities.fsRead;
		expect(await reach()).toEqual([]);
		grant({ [at("skills/pdf")]: docs });
		expect(await reach()).toEqual(["./docs"]);
	});

	it("gives a bundle that comes into the place of another one what was granted for that place", async () => {
		grant({ [at("skills/pdf")]: docs });
		const catalog = new AgentSkillCatalog(at("skills"));
		renameSync(at("skills/pdf"), at("moved"));
		cpSync(at("evil/pdf"), at("skills/pdf"), { recursive: true });
		writeFileSync(at("skills/pdf/SKILL.md"), ASKING.replace("asks", "pdf"));
		expect((await catalog.find("pdf"))?.capabilities).toMatchObject({ fsRead: ["./docs"], fsWrite: [], network: false });
		expect((await AgentSkill.load(at("moved", "SKILL.md"))).capabilities.fsRead).toEqual([]);
	});
});
