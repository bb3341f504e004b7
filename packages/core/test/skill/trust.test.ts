import { once } from "node:events";
import { chmodSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Capabilities } from "../../src/capability/capabilities.js";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { ScriptTool } from "../../src/script/script-tool.js";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import { RecordingExecutor } from "../../src/testing/recording-executor.js";
import { temporaryBundle } from "../script/bundle.js";

const CORE = "---\nname: house\ndescription: Ours.\ntrust: core\n---\n";
const EVIL = "---\nname: evil\ndescription: Theirs.\ntrust: core\n---\n";

/** `trusted/house` is the host's own and `downloads/evil` is not; both claim to be core. */
let directory: string;
beforeEach(() => {
	directory = temporaryBundle({
		"trusted/house/SKILL.md": CORE,
		"trusted/house/scripts/run.sh": "echo ours",
		"downloads/evil/SKILL.md": EVIL,
		"downloads/evil/scripts/run.sh": "echo theirs",
	});
});
afterEach(() => {
	reloadConfig();
});

const at = (...names: string[]): string => join(directory, ...names);
const load = (...names: string[]): Promise<AgentSkill> => AgentSkill.load(at(...names, "SKILL.md"));
const trust = (...trustCore: string[]): void => {
	configure({ sandbox: { trustCore } });
};
const trustOf = async (...names: string[]): Promise<string> => (await load(...names)).capabilities.trust;

describe("AgentSkill.load() of a bundle that claims trust: core", () => {
	it("is core at or below a directory that the host lists, and external elsewhere", async () => {
		trust(at("trusted"));
		expect([await trustOf("trusted", "house"), await trustOf("downloads", "evil")]).toEqual(["core", "external"]);
		trust(at("trusted", "house"));
		expect(await trustOf("trusted", "house")).toBe("core");
		trust(at("nowhere"), at("downloads"), at("trusted"));
		expect([await trustOf("trusted", "house"), await trustOf("downloads", "evil")]).toEqual(["core", "core"]);
	});

	it("lies where the host meant it, wherever the host goes later", async () => {
		const before = process.cwd();
		onTestFinished(() => process.chdir(before));
		process.chdir(directory);
		trust("trusted");
		mkdirSync(at("downloads", "trusted"));
		renameSync(at("downloads", "evil"), at("downloads", "trusted", "evil"));
		process.chdir(at("downloads"));
		expect([await trustOf("trusted", "house"), await trustOf("downloads", "trusted", "evil")]).toEqual(["core", "external"]);
	});

	it("has no diagnostic where it is core, and elsewhere one that names the directory, the key and what to do", async () => {
		trust(at("trusted"));
		expect(await (await load("trusted", "house")).diagnostics()).toEqual([]);
		const skill = await load("downloads", "evil");
		expect(await skill.diagnostics()).toEqual([
			{
				severity: "warning",
				code: "trust_not_granted",
				message:
					`trust: core does not count here, and the skill is external: "${at("downloads", "evil")}" is not below a directory of ` +
					`sandbox.trust_core, which has "${at("trusted")}". Add the real directory there if you have audited the bundle, or take the line out of the SKILL.md.`,
				path: at("downloads", "evil", "SKILL.md"),
			},
		]);
		expect(skill.capabilities.isCore).toBe(false);
	});

	it("loses its trust and nothing else", async () => {
		writeFileSync(
			at("downloads", "evil", "SKILL.md"),
			"---\nname: evil\ndescription: b\ntrust: core\nfs_read: [in, 3]\nfs_write: out\nnetwork: yes\ntimeout: 5\nlimits: {memory_mb: 9}\n---\n",
		);
		const skill = await load("downloads", "evil");
		expect(skill.capabilities).toMatchObject({ fsRead: ["in"], fsWrite: ["out"], network: true, timeout: 5, limits: { memoryMb: 9 } });
		expect((await skill.diagnostics()).map(({ code }) => code)).toEqual(["capability_malformed", "trust_not_granted"]);
	});

	it("an empty list trusts nobody, and says so", async () => {
		trust();
		const [diagnostic] = await (await load("trusted", "house")).diagnostics();
		expect(diagnostic?.message).toContain("sandbox.trust_core, which is empty.");
	});

	it.each<[string, () => void]>([
		["without a sandbox section", () => {}],
		["with a section that does not say", () => void configure({ sandbox: { enabled: true } })],
	])("is core by default in ~/.prompts/skills and nowhere else, %s", async (_, prepare) => {
		const { AgentSkill: Fresh, SKILLS_ROOT } = await atHome(directory);
		expect(SKILLS_ROOT).toBe(at(".prompts/skills"));
		mkdirSync(at(".prompts"));
		symlinkSync("../trusted", at(".prompts/skills"));
		prepare();
		expect((await Fresh.load(join(SKILLS_ROOT, "house/SKILL.md"))).capabilities.trust).toBe("core");
		expect((await Fresh.load(at("downloads/evil/SKILL.md"))).capabilities.trust).toBe("external");
		trust();
		expect((await Fresh.load(join(SKILLS_ROOT, "house/SKILL.md"))).capabilities.trust).toBe("external");
	});

	it("takes ~ and paths relative to the host's directory in the list, and ~name for no directory", async () => {
		const { AgentSkill: Fresh } = await atHome(directory);
		const trustIn = async (entry: string, ...names: string[]) => {
			trust(entry);
			return (await Fresh.load(at(...names, "SKILL.md"))).capabilities.trust;
		};
		const before = process.cwd();
		process.chdir(directory);
		onTestFinished(() => process.chdir(before));
		mkdirSync(at("~mallory"));
		renameSync(at("downloads", "evil"), at("~mallory", "evil"));
		expect(await trustIn("~/trusted", "trusted", "house")).toBe("core");
		expect(await trustIn("./trusted/house/..", "trusted", "house")).toBe("core");
		expect(await trustIn("~mallory", "~mallory", "evil")).toBe("external");
		expect(await trustIn("./~mallory", "~mallory", "evil")).toBe("core");
	});

	it("keeps the trust it was loaded with when the configuration changes", async () => {
		trust(at("trusted"));
		const [core, external] = [await load("trusted", "house"), await load("downloads", "evil")];
		trust(at("downloads"));
		expect([core.capabilities.trust, external.capabilities.trust]).toEqual(["core", "external"]);
		expect([await trustOf("trusted", "house"), await trustOf("downloads", "evil")]).toEqual(["external", "core"]);
	});

	it.each(["trust : core", '"trust": "core"', "? trust\n: core", "{trust: core, name: a, description: b}"])(
		"however the claim is written: %j",
		async (line) => {
			const text = line.startsWith("{") ? line : `name: a\ndescription: b\n${line}`;
			for (const name of ["trusted/house", "downloads/evil"]) writeFileSync(at(name, "SKILL.md"), `---\n${text}\n---\n`);
			trust(at("trusted"));
			expect([await trustOf("trusted", "house"), await trustOf("downloads", "evil")]).toEqual(["core", "external"]);
		},
	);

	it.each(["sandbox: {trust_core: [/], trustCore: [/]}", "trust_core: [/]", "trustCore: [/]", "Trust: core", "metadata: {trust: core}"])(
		"nothing else a bundle says makes it core: %s",
		async (line) => {
			writeFileSync(at("trusted/house/SKILL.md"), `---\nname: a\ndescription: b\n${line}\n---\n`);
			writeFileSync(at("downloads/evil/SKILL.md"), `---\nname: a\ndescription: b\ntrust: core\n${line}\n---\n`);
			trust(at("trusted"));
			expect([await trustOf("trusted", "house"), await trustOf("downloads", "evil")]).toEqual(["external", "external"]);
		},
	);
});

describe("Where a bundle lies that claims trust: core", () => {
	beforeEach(() => trust(at("trusted")));

	it("is where links lead: one in a trusted directory that leads out of it is not trusted, whole bundle or SKILL.md alone", async () => {
		symlinkSync(at("downloads/evil"), at("trusted/link"));
		mkdirSync(at("trusted/half"));
		symlinkSync(at("downloads/evil/SKILL.md"), at("trusted/half/SKILL.md"));
		expect([await trustOf("trusted/link"), await trustOf("trusted/half")]).toEqual(["external", "external"]);
		const diagnostic = (await (await load("trusted/link")).diagnostics()).find(({ code }) => code === "trust_not_granted");
		expect(diagnostic?.message).toContain(`"${at("downloads/evil")}" is not below`);
		expect((await load("trusted/link")).path).toBe(at("trusted/link"));
		trust(at("trusted"), at("downloads"));
		expect([await trustOf("trusted/link"), await trustOf("trusted/half")]).toEqual(["core", "core"]);
	});

	it("a directory that others may put a name before is not trusted because its own SKILL.md leads into a trusted one", async () => {
		mkdirSync(at("downloads/borrowed"));
		symlinkSync(at("trusted/house/SKILL.md"), at("downloads/borrowed/SKILL.md"));
		expect(await trustOf("downloads/borrowed")).toBe("external");
	});

	it("by a link from elsewhere is the trusted directory itself, which the skill then keeps to", async () => {
		symlinkSync(at("trusted/house"), at("downloads/link"));
		const skill = await load("downloads/link");
		expect([skill.capabilities.trust, skill.path]).toEqual(["core", at("trusted/house")]);
		rmSync(at("downloads/link"));
		symlinkSync(at("downloads/evil"), at("downloads/link"));
		expect(await skill.scripts()).toEqual([at("trusted/house/scripts/run.sh")]);
		expect(await (await skill.scriptTools())[0]?.execute({}, {})).toBe("ours\n");
		expect((await load("downloads/link")).capabilities.trust).toBe("external");
	});

	it("stays the same while a link is turned to and fro: nobody's text but the trusted one's is core", async () => {
		symlinkSync(at("downloads/evil"), at("downloads/link"));
		// From a thread of its own: loading asks the system without giving way.
		const turner = new Worker(
			`const { symlinkSync, renameSync } = require("node:fs");
			const { targets, next, link } = require("node:worker_threads").workerData;
			for (let turn = 0; ; turn++) { symlinkSync(targets[turn % 2], next); renameSync(next, link); }`,
			{
				eval: true,
				workerData: {
					targets: [at("trusted/house"), at("downloads/evil")],
					next: at("downloads/next"),
					link: at("downloads/link"),
				},
			},
		);
		onTestFinished(async () => void (await turner.terminate()));
		await once(turner, "online");
		const seen = new Set<string>();
		for (let count = 0; count < 3_000; count++) {
			const { name, capabilities, path } = await load("downloads/link");
			seen.add(`${name} ${capabilities.trust} ${basename(path)}`);
		}
		// The text of the trusted one, read before the link was turned away from it, is external: what lies there now is not its own.
		expect([...seen].filter((each) => each.includes("core"))).toEqual(["house core house"]);
		expect(seen).toContain("evil external link");
	});

	it("is not below one that shares the beginning of its name", async () => {
		renameSync(at("downloads"), at("trusted-by-nobody"));
		expect(await trustOf("trusted-by-nobody/evil")).toBe("external");
	});

	it.skipIf(process.platform !== "linux")("is not below one whose name differs in case (where the system keeps those apart)", async () => {
		renameSync(at("downloads"), at("Trusted"));
		expect(await trustOf("Trusted/evil")).toBe("external");
	});

	it("is below nothing that does not exist, leads nowhere or is a file", async () => {
		symlinkSync("nowhere", at("dangling"));
		trust(at("missing"), at("dangling"), at("trusted/house/SKILL.md"), at("trusted/house/scripts/run.sh"));
		expect(await trustOf("trusted/house")).toBe("external");
	});

	it("may be a trusted one by a hard link of its SKILL.md, which whoever may write there has made", async () => {
		mkdirSync(at("trusted/hard"));
		linkSync(at("downloads/evil/SKILL.md"), at("trusted/hard/SKILL.md"));
		expect(await trustOf("trusted/hard")).toBe("core");
	});

	it("cannot be trusted under a name with a line break", async () => {
		renameSync(at("trusted/house"), at("trusted/a\nb"));
		const skill = await load("trusted/a\nb");
		expect(skill.capabilities.trust).toBe("external");
		expect((await skill.diagnostics()).find(({ code }) => code === "trust_not_granted")?.message).toContain("control character");
	});

	const SCRIPTS = [
		"trusted/house/scripts",
		"trusted/house/scripts/run.sh",
		"trusted/house/scripts/lib",
		"trusted/house/scripts/lib/common.sh",
	];

	it.each(["trusted/house/SKILL.md", "trusted/house", "trusted", ".", ...SCRIPTS])(
		"is not trusted while every user may write %s",
		async (name) => {
			mkdirSync(at("trusted/house/scripts/lib"));
			writeFileSync(at("trusted/house/scripts/lib/common.sh"), "");
			expect(await trustOf("trusted/house")).toBe("core");
			chmodSync(at(name), 0o777);
			const [diagnostic] = await (await load("trusted/house")).diagnostics();
			expect(diagnostic).toMatchObject({ code: "trust_not_granted", message: expect.stringContaining(`"${at(name)}"`) });
			expect(diagnostic?.message).toContain("chmod o-w");
			expect(await trustOf("trusted/house")).toBe("external");
			chmodSync(at(name), 0o755);
			expect(await trustOf("trusted/house")).toBe("core");
		},
	);

	it.each([
		["a script that every user may write", "tools/own.sh", "tools/own.sh"],
		["a script in a directory that every user may write", "tools/own.sh", "tools"],
		["a directory that every user may write", "tools", "tools"],
		["what every user may put there, as it is missing", "sticky/missing.sh", "sticky"],
	])("is not trusted with a link in scripts/ to %s", async (_, target, open) => {
		mkdirSync(at("tools"));
		mkdirSync(at("sticky"));
		writeFileSync(at("tools/own.sh"), "echo ours");
		symlinkSync(at(target), at("trusted/house/scripts/link.sh"));
		expect(await trustOf("trusted/house")).toBe("core");
		chmodSync(at(open), open === "sticky" ? 0o1777 : 0o777);
		const [diagnostic] = await (await load("trusted/house")).diagnostics();
		expect(diagnostic).toMatchObject({ code: "trust_not_granted", message: expect.stringContaining(`"${at(open)}"`) });
		expect(await trustOf("trusted/house")).toBe("external");
	});

	it("is not trusted while scripts/ is a link to where every user may write, and is without any scripts/", async () => {
		mkdirSync(at("elsewhere"));
		rmSync(at("trusted/house/scripts"), { recursive: true });
		expect(await trustOf("trusted/house")).toBe("core");
		symlinkSync(at("elsewhere"), at("trusted/house/scripts"));
		expect(await trustOf("trusted/house")).toBe("core");
		chmodSync(at("elsewhere"), 0o777);
		expect(await trustOf("trusted/house")).toBe("external");
	});

	it("is not trusted where nobody can tell who may write in scripts/, and says which name is to blame", async () => {
		symlinkSync("loop", at("trusted/house/scripts/loop"));
		const [diagnostic] = await (await load("trusted/house")).diagnostics();
		expect(diagnostic).toMatchObject({ code: "trust_not_granted", message: expect.stringContaining("scripts/loop") });
	});

	it("may have a sticky directory above the trusted one, and none below it, where others could add bundles", async () => {
		chmodSync(directory, 0o1777);
		expect(await trustOf("trusted/house")).toBe("core");
		chmodSync(at("trusted"), 0o1777);
		expect(await trustOf("trusted/house")).toBe("external");
	});
});

describe("Elsewhere than in AgentSkill.load()", () => {
	it("a script's tool without capabilities is external, whatever the SKILL.md beside it says", async () => {
		const recorder = new RecordingExecutor();
		using _ = ScriptTool.replaceExecutor(recorder);
		trust(directory);
		const tool = await ScriptTool.fromPath(at("trusted/house/scripts/run.sh"), { skillDir: at("trusted/house") });
		await tool?.execute({}, {});
		expect(recorder.runs.map(({ options }) => options.capabilities.trust)).toEqual(["external"]);
	});

	it("a skill's tools carry the trust that the skill has", async () => {
		const recorder = new RecordingExecutor();
		using _ = ScriptTool.replaceExecutor(recorder);
		trust(at("trusted"));
		for (const name of ["trusted/house", "downloads/evil"]) {
			for (const tool of await (await load(name)).scriptTools()) await tool.execute({}, {});
		}
		expect(recorder.runs.map(({ options }) => options.capabilities.trust)).toEqual(["core", "external"]);
	});

	it("Capabilities.fromFrontMatter keeps what is declared, for host code to judge", () => {
		expect(Capabilities.fromFrontMatter({ trust: "core" }).isCore).toBe(true);
	});
});

/** This package as a process with another home directory loads it. */
async function atHome(home: string) {
	const { HOME } = process.env;
	process.env.HOME = home;
	vi.resetModules();
	onTestFinished(() => {
		if (HOME === undefined) delete process.env.HOME;
		else process.env.HOME = HOME;
		vi.resetModules();
	});
	return import("../../src/index.js");
}
