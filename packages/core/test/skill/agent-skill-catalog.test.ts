import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { SKILLS_ROOT } from "../../src/paths/skills-root.js";
import { AgentSkillCatalog } from "../../src/skill/agent-skill-catalog.js";
import { temporaryBundle } from "../script/bundle.js";

const skillMd = (name: string, description = "x", more = ""): string => `---\nname: ${name}\ndescription: ${description}\n${more}---\n`;
const names = async (catalog: AgentSkillCatalog): Promise<readonly string[]> => (await catalog.all()).map(({ name }) => name);
const codes = async (catalog: AgentSkillCatalog): Promise<readonly string[]> => (await catalog.diagnostics()).map(({ code }) => code);

describe("AgentSkillCatalog", () => {
	it("finds skills by the name in their front matter, not by directory, to the letter", async () => {
		const root = temporaryBundle({
			"some-dir/SKILL.md": skillMd("deploy-checker", "Checks."),
			"other/SKILL.md": skillMd("deploy_checker", "Another."),
		});
		const catalog = new AgentSkillCatalog(root);
		expect((await catalog.find("deploy-checker"))?.description).toBe("Checks.");
		expect((await catalog.find("deploy_checker"))?.description).toBe("Another.");
		for (const name of ["some-dir", "Deploy-Checker", "", "constructor", "__proto__", undefined as never, 3 as never]) {
			expect(await catalog.find(name)).toBeUndefined();
		}
	});

	it("lists skills by name, whatever their directories are called", async () => {
		const root = temporaryBundle({
			"1/SKILL.md": skillMd("c"),
			"2/SKILL.md": skillMd("a"),
			"3/SKILL.md": skillMd("B"),
			"4/SKILL.md": skillMd("b"),
		});
		expect(await names(new AgentSkillCatalog(root))).toEqual(["B", "a", "b", "c"]);
	});

	it("finds bundles at any depth and takes them in the order of their paths, name by name", async () => {
		const root = temporaryBundle({
			"group/z/SKILL.md": skillMd("same", "from group/z"),
			"group-a/SKILL.md": skillMd("same", "from group-a"),
			"group/deep/er/SKILL.md": skillMd("er"),
		});
		const catalog = new AgentSkillCatalog(root);
		expect(await names(catalog)).toEqual(["er", "same"]);
		expect((await catalog.find("same"))?.description).toBe("from group/z");
	});

	it("does no I/O when it is made: the root may come later", async () => {
		const parent = temporaryBundle();
		const catalog = new AgentSkillCatalog(join(parent, "later"));
		mkdirSync(join(parent, "later", "a"), { recursive: true });
		writeFileSync(join(parent, "later", "a", "SKILL.md"), skillMd("a"));
		expect(await names(catalog)).toEqual(["a"]);
	});

	it("scans once, and concurrent questions share the scan", async () => {
		const root = temporaryBundle({ "a/SKILL.md": skillMd("a") });
		const catalog = new AgentSkillCatalog(root);
		const [first, found, second] = await Promise.all([catalog.all(), catalog.find("a"), catalog.all()]);
		expect(first).toBe(second);
		expect(first[0]).toBe(found);
		writeFileSync(join(root, "a", "SKILL.md"), skillMd("changed"));
		rmSync(join(root, "a", "SKILL.md"));
		expect(await catalog.find("a")).toBe(found);
	});

	it("is empty, without a diagnostic, for an empty root, for none, and where the default one and those that agents share are missing", async () => {
		const missing = { path: join(temporaryBundle(), "none"), scope: "user" } as const;
		for (const roots of [temporaryBundle(), [], missing, AgentSkillCatalog.SKILLS_ROOT]) {
			const catalog = new AgentSkillCatalog(roots);
			expect([await catalog.all(), await catalog.diagnostics()]).toEqual([[], []]);
		}
	});

	it("is empty, and names a root that somebody gave and that is not there, until it is", async () => {
		const missing = join(temporaryBundle(), "skils");
		const catalog = new AgentSkillCatalog([temporaryBundle(), missing]);
		expect(await catalog.all()).toEqual([]);
		expect(await catalog.diagnostics()).toMatchObject([
			{ severity: "warning", code: "root_missing", path: missing, message: expect.stringContaining(`no directory "${missing}"`) },
		]);
		mkdirSync(missing);
		catalog.reload();
		expect(await catalog.diagnostics()).toEqual([]);
	});

	it("passes over what is no bundle: files, directories without a SKILL.md, links to files", async () => {
		const root = temporaryBundle({
			"file.txt": "x",
			"no-skill/README.md": "x",
			"a/SKILL.md": skillMd("a"),
		});
		symlinkSync("file.txt", join(root, "link-to-file"));
		symlinkSync("nowhere", join(root, "dangling"));
		const catalog = new AgentSkillCatalog(root);
		expect([await names(catalog), await catalog.diagnostics()]).toEqual([["a"], []]);
	});

	it("leaves out a bundle that cannot be loaded, names it, and hides no other", async () => {
		const root = temporaryBundle({
			"bad-code/SKILL.md": "---js\n{name: 1}\n---\n",
			"bad-dir/SKILL.md/x": "",
			"bad-empty/SKILL.md": "",
			"bad-large/SKILL.md": skillMd("large") + "x".repeat(1024 * 1024),
			"bad-name/SKILL.md": "---\nname: 123\ndescription: x\n---\n",
			"bad-yaml/SKILL.md": "---\nname: [\n---\n",
			"good/SKILL.md": skillMd("good"),
			"zgood/SKILL.md": skillMd("zgood"),
		});
		mkdirSync(join(root, "bad-fifo"));
		execFileSync("mkfifo", [join(root, "bad-fifo", "SKILL.md")]);
		mkdirSync(join(root, "bad-link"));
		symlinkSync("nowhere", join(root, "bad-link", "SKILL.md"));
		symlinkSync("bad-loop", join(root, "bad-loop"));
		const catalog = new AgentSkillCatalog(root);
		expect(await names(catalog)).toEqual(["good", "zgood"]);
		const diagnostics = await catalog.diagnostics();
		expect(diagnostics.map(({ path }) => path.slice(root.length + 1).split("/")[0])).toEqual(
			["code", "dir", "empty", "fifo", "large", "link", "loop", "name", "yaml"].map((name) => `bad-${name}`),
		);
		expect(
			diagnostics.every(({ severity, code, message, path }) => severity === "error" && code === "skill_invalid" && message.includes(path)),
		).toBe(true);
		expect(await catalog.diagnostics()).toEqual(diagnostics);
	});

	it("does not run the code in a bundle's front matter while it looks for skills", async () => {
		const marker = join(temporaryBundle(), "ran");
		const root = temporaryBundle({
			"a/SKILL.md": `---javascript\n{ name: process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(marker)}, "") }\n---\n`,
		});
		expect(await codes(new AgentSkillCatalog(root))).toEqual(["skill_invalid"]);
		expect(() => execFileSync("ls", [marker], { stdio: "pipe" })).toThrow();
	});

	it("gives the first root's skill where names are the same, and says which one is hidden", async () => {
		const first = temporaryBundle({ "z/SKILL.md": skillMd("same", "first") });
		const second = temporaryBundle({ "a/SKILL.md": skillMd("same", "second"), "b/SKILL.md": skillMd("own") });
		const catalog = new AgentSkillCatalog([first, second]);
		expect((await catalog.find("same"))?.description).toBe("first");
		expect(await names(catalog)).toEqual(["own", "same"]);
		const shadowed = (await catalog.diagnostics()).filter(({ code }) => code === "skill_shadowed");
		expect(shadowed).toEqual([
			{
				severity: "warning",
				code: "skill_shadowed",
				path: join(second, "a", "SKILL.md"),
				message: expect.stringContaining(join(first, "z")),
			},
		]);
		expect((await new AgentSkillCatalog([second, first]).find("same"))?.description).toBe("second");
	});

	it("says of each skill which root it is from and what it hides", async () => {
		const first = temporaryBundle({ "z/SKILL.md": skillMd("same"), "y/SKILL.md": skillMd("same") });
		const second = temporaryBundle({ "a/SKILL.md": skillMd("same"), "own/SKILL.md": skillMd("own") });
		const entries = await new AgentSkillCatalog([first, second]).entries();
		expect(entries.map(({ skill, root, hides }) => [skill.path, root.path, hides])).toEqual([
			[join(second, "own"), second, []],
			[join(first, "y"), first, [join(first, "z"), join(second, "a")]],
		]);
	});

	it("shares nothing with another catalog", async () => {
		const root = temporaryBundle({ "a/SKILL.md": skillMd("a") });
		const [one, other] = [new AgentSkillCatalog(root), new AgentSkillCatalog(root)];
		const first = await one.find("a");
		writeFileSync(join(root, "a", "SKILL.md"), skillMd("a", "later"));
		expect([first?.description, (await other.find("a"))?.description, (await one.find("a"))?.description]).toEqual(["x", "later", "x"]);
	});

	it("looks again after reload(), and what it handed out stays as it was", async () => {
		const root = temporaryBundle({ "a/SKILL.md": skillMd("a") });
		const catalog = new AgentSkillCatalog(root);
		const before = await catalog.find("a");
		writeFileSync(join(root, "a", "SKILL.md"), skillMd("a", "later"));
		catalog.reload();
		expect([(await catalog.find("a"))?.description, before?.description]).toEqual(["later", "x"]);
	});

	it("says that a skill lies in another one, where it is none", async () => {
		const root = temporaryBundle({
			"a/SKILL.md": skillMd("a"),
			"a/references/deep/SKILL.md": skillMd("lost"),
			"a/.hidden/SKILL.md": skillMd("unseen"),
		});
		const catalog = new AgentSkillCatalog(root);
		expect(await names(catalog)).toEqual(["a"]);
		expect(await catalog.diagnostics()).toMatchObject([{ code: "skill_nested", path: join(root, "a/references/deep/SKILL.md") }]);
	});

	it("gives the first directory's skill within a root", async () => {
		const root = temporaryBundle({ "b/SKILL.md": skillMd("same", "from b"), "a/SKILL.md": skillMd("same", "from a") });
		expect((await new AgentSkillCatalog(root).find("same"))?.description).toBe("from a");
	});

	it("follows links to bundles and to roots, and hides nothing that is the same bundle twice", async () => {
		const root = temporaryBundle({ "a/SKILL.md": skillMd("a") });
		const linked = temporaryBundle();
		symlinkSync(join(root, "a"), join(linked, "a"));
		const catalog = new AgentSkillCatalog([root, root, `${root}/.`, linked]);
		expect([await names(catalog), await catalog.diagnostics()]).toEqual([["a"], []]);
		expect((await new AgentSkillCatalog(linked).find("a"))?.path).toBe(join(linked, "a"));
	});

	it("says that a root cannot be listed, and still has the others' skills", async () => {
		const root = temporaryBundle({ "a/SKILL.md": skillMd("a"), file: "x" });
		symlinkSync("loop", join(root, "loop"));
		const catalog = new AgentSkillCatalog([join(root, "file"), join(root, "loop"), "/a\0b", root]);
		expect(await names(catalog)).toEqual(["a"]);
		expect((await codes(catalog)).slice(0, 3)).toEqual(["root_unreadable", "root_unreadable", "root_unreadable"]);
		expect((await catalog.diagnostics())[0]).toMatchObject({ severity: "error", path: join(root, "file") });
	});

	it.skipIf(process.getuid?.() === 0)("says that a root may not be read (root may read every directory)", async () => {
		const root = temporaryBundle();
		mkdirSync(join(root, "closed"), { mode: 0o000 });
		expect(await codes(new AgentSkillCatalog(join(root, "closed")))).toEqual(["root_unreadable"]);
	});

	it("says that a root is itself a bundle", async () => {
		expect(await codes(new AgentSkillCatalog(temporaryBundle({ "SKILL.md": skillMd("a") })))).toEqual(["root_is_bundle"]);
	});

	it("passes on what is doubtful about the skills it loaded", async () => {
		const root = temporaryBundle({
			"a/SKILL.md": skillMd("a", "x", "timeout: 0\n"),
			"a/scripts/x.py": { text: "print(1)", mode: 0o644 },
			"b/SKILL.md": skillMd("other"),
		});
		expect(await codes(new AgentSkillCatalog(root))).toEqual([
			"capability_malformed",
			"script_not_executable",
			"name_differs_from_directory",
		]);
	});

	it("loads a thousand bundles without opening them all at once", async () => {
		const files = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`s${index}/SKILL.md`, `${skillMd(`s${index}`)}body\n`]));
		const catalog = new AgentSkillCatalog(temporaryBundle(files));
		expect(await catalog.all()).toHaveLength(1000);
	});

	it.each([3, null, {}, "", ["/a", 3], ["/a", ""], [undefined], [{ path: "/a" }], [{ path: "/a", scope: "project" }]])(
		"refuses %o for roots with a ConfigurationError",
		(roots) => {
			expect(() => new AgentSkillCatalog(roots as never)).toThrow(ConfigurationError);
		},
	);
});

describe("AgentSkillCatalog.instance", () => {
	afterEach(() => AgentSkillCatalog.reset());

	it("is one catalog, until it is reset", () => {
		const { instance } = AgentSkillCatalog;
		expect(AgentSkillCatalog.instance).toBe(instance);
		AgentSkillCatalog.reset();
		expect(AgentSkillCatalog.instance).not.toBe(instance);
	});

	it("has SKILLS_ROOT, expanded", () => {
		expect(SKILLS_ROOT).toBe(join(homedir(), ".prompts", "skills"));
		expect(AgentSkillCatalog.SKILLS_ROOT).toBe(SKILLS_ROOT);
	});
});
