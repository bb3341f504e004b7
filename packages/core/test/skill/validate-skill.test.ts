import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import type { SkillDiagnostic } from "../../src/skill/skill-diagnostic.js";
import { SkillInvalidError } from "../../src/skill/skill-invalid-error.js";
import { validateSkill } from "../../src/skill/validate-skill.js";
import { temporaryBundle } from "../script/bundle.js";

afterEach(() => {
	reloadConfig();
});

const MINIMAL = "---\nname: a\ndescription: b\n---\n";
const shown = (diagnostics: readonly SkillDiagnostic[]): readonly string[] =>
	diagnostics.map(({ severity, code, line }) => `${severity} ${code} ${line ?? "-"}`);

describe("validateSkill()", () => {
	it("takes a directory, its SKILL.md, a file URL, and has nothing against a good bundle", async () => {
		const bundle = join(temporaryBundle({ "a/SKILL.md": MINIMAL, "a/scripts/x.sh": "# Says x.\necho x" }), "a");
		for (const path of [bundle, join(bundle, "SKILL.md"), pathToFileURL(bundle), pathToFileURL(join(bundle, "SKILL.md"))]) {
			expect(await validateSkill(path, { validation: "strict" })).toEqual([]);
		}
	});

	it("names the file, the line and the rule, and what is wrong with scripts, also of a bundle that cannot be loaded", async () => {
		const files = { "a/scripts/x.py": { text: "print(1)", mode: 0o644 } };
		const broken = join(temporaryBundle({ "a/SKILL.md": "---\nname: A\n---\n", ...files }), "a");
		const found = await validateSkill(broken, { validation: "lenient" });
		expect(shown(found)).toEqual([
			"error description_missing 1",
			"warning name_nonstandard 2",
			"warning name_differs_from_directory 2",
			"warning script_not_executable -",
		]);
		expect(found.map(({ path }) => path)).toEqual([...Array(3).fill(join(broken, "SKILL.md")), join(broken, "scripts", "x.py")]);
		const unreadable = join(temporaryBundle({ "a/SKILL.md": "nothing", ...files }), "a");
		expect(shown(await validateSkill(unreadable))).toEqual(["error front_matter_missing 1", "warning script_not_executable -"]);
	});

	it("says so, and does not reject, where there is no SKILL.md, no file, or none that can be read", async () => {
		const root = temporaryBundle({ "empty/x": "", "latin/SKILL.md": Buffer.from("---\nname: gr\xfc\n", "latin1") });
		mkdirSync(join(root, "dir", "SKILL.md"), { recursive: true });
		mkdirSync(join(root, "fifo"));
		execFileSync("mkfifo", [join(root, "fifo", "SKILL.md")]);
		mkdirSync(join(root, "loop"));
		symlinkSync("SKILL.md", join(root, "loop", "SKILL.md"));
		mkdirSync(join(root, "large"));
		execFileSync("truncate", ["-s", "4G", join(root, "large", "SKILL.md")]);
		const codes = async (name: string): Promise<readonly string[]> => shown(await validateSkill(join(root, name)));
		for (const name of ["empty", "none", "dir", "fifo", "loop"]) expect(await codes(name)).toEqual(["error file_unreadable -"]);
		expect(await codes("latin")).toEqual(["error file_not_text -"]);
		expect(await codes("large")).toEqual(["error file_too_large -"]);
	});

	it("follows config().skills.validation unless a mode is given, and so does what is loaded", async () => {
		const bundle = join(temporaryBundle({ "b/SKILL.md": MINIMAL }), "b");
		const file = join(bundle, "SKILL.md");
		expect(shown(await validateSkill(bundle))).toEqual(["warning name_differs_from_directory 2"]);
		expect((await AgentSkill.load(file)).name).toBe("a");
		configure({ skills: { validation: "strict" } });
		expect(shown(await validateSkill(bundle))).toEqual(["error name_differs_from_directory 2"]);
		await expect(AgentSkill.load(file)).rejects.toThrow(/differs from that of its directory/);
		expect((await AgentSkill.load(file, { validation: "lenient" })).name).toBe("a");
		expect(shown(await validateSkill(bundle, { validation: "lenient" }))).toEqual(["warning name_differs_from_directory 2"]);
	});

	it("says of a trust that it does not count", async () => {
		const bundle = join(temporaryBundle({ "a/SKILL.md": "---\nname: a\ndescription: b\nmetadata:\n  robot-lab.trust: core\n---\n" }), "a");
		expect(shown(await validateSkill(bundle, { validation: "strict" }))).toEqual(["warning trust_not_granted -"]);
		expect((await AgentSkill.load(join(bundle, "SKILL.md"))).capabilities).toMatchObject({ trust: "external" });
	});

	it.each(["skill.md", "Skill.MD"])("names a file that is called %s, which is read on no system", async (name) => {
		const bundle = temporaryBundle({ [name]: "---\nname: a\ndescription: b\n---\n" });
		expect(await validateSkill(bundle)).toEqual([
			{
				...{ severity: "error", code: "skill_file_misnamed", path: join(bundle, name) },
				message: expect.stringContaining(`must be called SKILL.md, not "${name}". Rename it.`),
			},
		]);
	});

	it("says that a malformed field is left out where it is, and not where it keeps the bundle from being loaded", async () => {
		const files = { "a/SKILL.md": "---\nname: a\ndescription: b\nlicense: 3\nmetadata: 4\nallowed-tools: 5\n---\n" };
		const messages = async (validation: "strict" | "lenient") =>
			(await validateSkill(join(temporaryBundle(files), "a"), { validation })).map(({ message }) => message.includes("left out"));
		expect(await messages("lenient")).toEqual([true, true, true]);
		expect(await messages("strict")).toEqual([false, false, false]);
	});

	it.each<[string, unknown, unknown]>([
		["no path", undefined, {}],
		["an empty path", "", {}],
		["a URL of the web", new URL("https://example.com"), {}],
		["an unknown way of validation", "x", { validation: "Strict" }],
		["an unknown option", "x", { mode: "strict" }],
		["null for options", "x", null],
	])("refuses %s with a ConfigurationError", async (_, path, options) => {
		const error: unknown = await validateSkill(path as string, options as object).catch((reason: unknown) => reason);
		expect(ConfigurationError.isInstance(error)).toBe(true);
	});
});

describe("AgentSkill.load() with validation", () => {
	const load = (text: string, validation: "strict" | "lenient"): Promise<AgentSkill> =>
		AgentSkill.load(join(temporaryBundle({ "a/SKILL.md": text }), "a", "SKILL.md"), { validation });

	it("refuses where strict what lenient loads with warnings, and tells every flaw", async () => {
		const text = "---\nname: a\ndescription: b\nallowed-tools: [Read]\nlicence: MIT\ntimeout: 5\n---\n";
		const error: unknown = await load(text, "strict").catch((reason: unknown) => reason);
		expect(ConfigurationError.isInstance(error) && SkillInvalidError.isInstance(error)).toBe(true);
		const { message, diagnostics } = error as SkillInvalidError;
		expect(message).toMatch(/^Cannot load the skill ".*": allowed-tools: is a list\. .* 1 more flaw keeps it from being loaded/);
		expect(shown(diagnostics)).toEqual(["error field_malformed 4", "error field_unknown 5", "warning field_extension 6"]);
		const skill = await load(text, "lenient");
		expect(skill.allowedTools).toEqual(["Read"]);
		expect(shown(await skill.diagnostics())).toEqual(["warning field_unknown 5"]);
	});

	it("loads a bundle that is strictly valid and says what its scripts need", async () => {
		const skill = await load(
			"---\nname: a\ndescription: b\nmetadata:\n  robot-lab.fs_read: |\n    ./x\n    ./y\n  robot-lab.timeout: '7'\n---\n",
			"strict",
		);
		expect(skill.capabilities).toMatchObject({ fsRead: ["./x", "./y"], timeout: 7 });
		expect(await skill.diagnostics()).toEqual([]);
	});

	it("keeps a restriction where YAML fails: the bundle is skipped, or read with quotes, never without its allowed-tools", async () => {
		const broken = "---\nname: a\ndescription: Use when: x\nallowed-tools: Read\nfs_read: [.\n---\n";
		for (const mode of ["strict", "lenient"] as const) await expect(load(broken, mode)).rejects.toThrow(/is no valid YAML/);
		const mended = await load(broken.replace("fs_read: [.\n", "network: no\n"), "lenient");
		expect(mended).toMatchObject({ description: "Use when: x", allowedTools: ["Read"], capabilities: { network: false, fsRead: [] } });
	});

	it.each<[string, unknown]>([
		["an unknown option", { mode: "strict" }],
		["an unknown value", { validation: "none" }],
		["no options", "strict"],
	])("refuses %s", async (_, options) => {
		const file = join(temporaryBundle({ "a/SKILL.md": MINIMAL }), "a", "SKILL.md");
		const error: unknown = await AgentSkill.load(file, options as object).catch((reason: unknown) => reason);
		expect(ConfigurationError.isInstance(error) && (error as Error).message.startsWith("AgentSkill.load()")).toBe(true);
	});

	it("reads a file that shrinks or is written while it is read as one of its states, or refuses it", async () => {
		const bundle = temporaryBundle({ "a/SKILL.md": `${MINIMAL}${"x".repeat(100_000)}` });
		const file = join(bundle, "a", "SKILL.md");
		const loading = AgentSkill.load(file);
		writeFileSync(file, MINIMAL);
		expect((await loading).name).toBe("a");
		chmodSync(file, 0o644);
	});
});
