import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { revokeTrust, trustProject } from "../../src/config/trusted-projects.js";
import { AgentSkillCatalog } from "../../src/skill/agent-skill-catalog.js";
import { rootsInOrder, skillRoots } from "../../src/skill/skill-roots.js";
import { temporaryBundle } from "../script/bundle.js";

const project = { directory: "/work", verdict: { isTrusted: false } } as const;
const paths = (roots: readonly { readonly path: string }[]): readonly string[] => roots.map(({ path }) => path);

describe("rootsInOrder", () => {
	it("has what somebody named first, then the project's, then the user's, .agents before .claude", () => {
		expect(paths(rootsInOrder({ own: ["/z", "/a"], discover: true, home: "/home", project }))).toEqual([
			...["/z", "/a", "/work/.agents/skills", "/work/.claude/skills", "/home/.agents/skills", "/home/.claude/skills"],
		]);
	});

	it("has only what somebody named without discovery, and each once", () => {
		expect(paths(rootsInOrder({ own: ["/a", "/b", "/a"], discover: false, home: "/home", project }))).toEqual(["/a", "/b"]);
		const roots = rootsInOrder({ own: ["/work/.agents/skills"], discover: true, project });
		expect(roots.map(({ path, scope }) => [path, scope])).toEqual([
			["/work/.agents/skills", "own"],
			["/work/.claude/skills", "project"],
		]);
	});
});

const skillMd = (name: string, description: string): string => `---\nname: ${name}\ndescription: ${description}\n---\n`;

describe("the roots of the configuration", () => {
	let home: string;
	let here: string;
	const found = async (): Promise<readonly string[]> =>
		(await new AgentSkillCatalog().all()).map(({ name, description }) => `${name}: ${description}`);
	const codes = async (): Promise<readonly string[]> => (await new AgentSkillCatalog().diagnostics()).map(({ code }) => code);

	beforeEach(() => {
		home = temporaryBundle({
			"mine/own/SKILL.md": skillMd("own", "mine"),
			".agents/skills/shared/SKILL.md": skillMd("shared", "user"),
			".claude/skills/claude/SKILL.md": skillMd("claude", "user"),
			"work/.agents/skills/shared/SKILL.md": skillMd("shared", "project"),
			"work/.agents/skills/own/SKILL.md": skillMd("own", "project"),
			"work/.claude/skills/shared/SKILL.md": skillMd("shared", "project's claude"),
		});
		here = join(home, "work");
		vi.stubEnv("HOME", home);
		vi.stubEnv("XDG_CONFIG_HOME", "");
		vi.stubEnv("ROBOT_LAB_ENV", "development");
		vi.spyOn(process, "cwd").mockReturnValue(here);
		reloadConfig();
		configure({ skills: { roots: [join(home, "mine")] } });
	});
	afterEach(() => {
		vi.restoreAllMocks();
		vi.unstubAllEnvs();
		reloadConfig();
	});

	it("are those that are named, until discovery is on", async () => {
		expect(await found()).toEqual(["own: mine"]);
		configure({ skills: { discover: true } });
		expect(paths(skillRoots())).toHaveLength(5);
		expect(paths(skillRoots([home]))[0]).toBe(home);
	});

	it("have nothing of the project's until it is trusted, and say so; then its skills come before the user's and after the named ones'", async () => {
		configure({ skills: { discover: true } });
		expect(await found()).toEqual(["claude: user", "own: mine", "shared: user"]);
		const diagnostics = await new AgentSkillCatalog().diagnostics();
		expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([
			["root_untrusted", join(here, ".agents/skills")],
			["root_untrusted", join(here, ".claude/skills")],
		]);
		expect(diagnostics[0]?.message).toContain(`run: robot-lab trust '${here}'`);
		trustProject(here);
		expect(await found()).toEqual(["claude: user", "own: mine", "shared: project"]);
		expect(await codes()).toEqual(["skill_shadowed", "skill_shadowed", "skill_shadowed"]);
		revokeTrust(here);
		expect(await found()).toEqual(["claude: user", "own: mine", "shared: user"]);
	});

	it("open nothing of a project that is not trusted, not even to see what is wrong with it", async () => {
		configure({ skills: { discover: true } });
		writeFileSync(join(here, ".agents/skills/own/SKILL.md"), "broken");
		expect(await codes()).toEqual(["root_untrusted", "root_untrusted"]);
		trustProject(here);
		expect(await codes()).toContain("skill_invalid");
	});

	it("say nothing of a project without skills", async () => {
		configure({ skills: { discover: true } });
		mkdirSync(join(home, "empty"));
		vi.spyOn(process, "cwd").mockReturnValue(join(home, "empty"));
		expect(await codes()).toEqual([]);
	});

	it("do not leave a trusted project by a link, and what it leads to is still found where it is the user's", async () => {
		configure({ skills: { discover: true } });
		const other = join(home, "other");
		mkdirSync(other);
		mkdirSync(join(other, ".claude"));
		symlinkSync("../.agents/skills", join(other, ".claude/skills"));
		symlinkSync(join(home, ".agents"), join(other, ".agents"));
		vi.spyOn(process, "cwd").mockReturnValue(other);
		trustProject(other);
		expect(await codes()).toEqual(["root_leads_out", "root_leads_out"]);
		expect(await found()).toEqual(["claude: user", "own: mine", "shared: user"]);
	});

	it("are the user's where the process is at home: that is no project", async () => {
		configure({ skills: { discover: true } });
		vi.spyOn(process, "cwd").mockReturnValue(home);
		expect(skillRoots().map(({ scope }) => scope)).toEqual(["own", "user", "user"]);
		expect(await found()).toEqual(["claude: user", "own: mine", "shared: user"]);
	});

	it("are none of the home directory in the environment test, except one that the configuration names", async () => {
		configure({ skills: { discover: true } });
		vi.stubEnv("ROBOT_LAB_ENV", "");
		vi.stubEnv("NODE_ENV", "test");
		reloadConfig();
		configure({ skills: { discover: true, roots: [join(home, "mine")] } });
		expect(skillRoots().map(({ scope }) => scope)).toEqual(["own", "project", "project"]);
		expect(await found()).toEqual(["own: mine"]);
	});

	it("are absolute in the user's own file: relative ones would be another stranger's in every directory", () => {
		mkdirSync(join(home, ".config/robot_lab"), { recursive: true });
		writeFileSync(join(home, ".config/robot_lab/config.yml"), "skills: { roots: [.agents/skills] }");
		expect(() => reloadConfig()).toThrow(/config.yml, line 1: skills.roots must hold only absolute paths/);
		writeFileSync(join(home, ".config/robot_lab/config.yml"), "");
	});

	it("are looked up when the catalog is first asked, and again after reload()", async () => {
		const catalog = new AgentSkillCatalog();
		configure({ skills: { roots: [join(home, ".claude/skills")] } });
		expect((await catalog.all()).map(({ name }) => name)).toEqual(["claude"]);
		configure({ skills: { roots: [join(home, "mine")] } });
		expect((await catalog.all()).map(({ name }) => name)).toEqual(["claude"]);
		catalog.reload();
		expect((await catalog.all()).map(({ name }) => name)).toEqual(["own"]);
	});
});
