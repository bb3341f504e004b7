import { chmodSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import { AgentSkillCatalog } from "../../src/skill/agent-skill-catalog.js";
import { findBundles, MAX_LINKS } from "../../src/skill/find-bundles.js";
import { loadBundle } from "../../src/skill/scan-root.js";
import { temporaryBundle } from "../script/bundle.js";

/** What was asked of the file system, and of which path. */
const { calls } = vi.hoisted(() => ({ calls: [] as { readonly name: string; readonly path: string }[] }));
const { withCalls } = vi.hoisted(() => {
	const counting = (name: string, call: (...args: unknown[]) => unknown) => {
		return (...args: unknown[]): unknown => {
			if (typeof args[0] === "string") calls.push({ name: name.replace(/Sync$/, ""), path: args[0] });
			return call(...args);
		};
	};
	const wrapped = (name: string, value: unknown): unknown => {
		if (typeof value !== "function" || !/^[a-z]/.test(name)) return value;
		const { native } = value as { readonly native?: unknown };
		return Object.assign(counting(name, value as never), native !== undefined && { native: wrapped(name, native) });
	};
	return {
		withCalls: async (original: () => Promise<unknown>): Promise<Readonly<Record<string, unknown>>> => {
			const { default: whole, ...named } = (await original()) as Readonly<Record<string, unknown>>;
			const each = Object.fromEntries(Object.entries(named).map(([name, value]) => [name, wrapped(name, value)]));
			return { ...each, default: { ...(whole as object), ...each } };
		},
	};
});
vi.mock("node:fs", withCalls);
vi.mock("node:fs/promises", withCalls);
beforeEach(forget);

function forget(): void {
	calls.length = 0;
}

const skillMd = (name: string): string => `---\nname: ${name}\ndescription: x\n---\n`;

/** How often each was called. */
const counts = (): Readonly<Record<string, number>> => {
	const found: Record<string, number> = {};
	for (const { name } of calls) found[name] = (found[name] ?? 0) + 1;
	return found;
};

/** What was opened or listed below a directory, by whatever way. */
const touched = (directory: string): readonly string[] =>
	calls.flatMap(({ name, path }) => (READING.has(name) && path.startsWith(directory) ? [`${name} ${path}`] : []));
const READING = new Set(["open", "readdir", "readFile", "opendir", "createReadStream"]);

/** A trusted project with bundles in it. */
function trusted(files: Readonly<Record<string, string>>) {
	const project = temporaryBundle(files);
	const root = join(project, ".agents/skills");
	const catalog = new AgentSkillCatalog({
		path: root,
		scope: "project",
		project: { directory: project, verdict: { isTrusted: true, project } },
	});
	return { project, root, catalog };
}

describe("a trusted project", () => {
	it.skipIf(process.getuid?.() === 0)(
		"has no SKILL.md read that leads out of it, also from a directory that may be entered and not listed (root may list every one)",
		async () => {
			const outside = temporaryBundle({ "diary.md": skillMd("diary") });
			const { root, catalog } = trusted({ ".agents/skills/x/notes.md": "", ".agents/skills/own/SKILL.md": skillMd("own") });
			symlinkSync(join(outside, "diary.md"), join(root, "x/SKILL.md"));
			for (const bundle of ["x", "own"]) chmodSync(join(root, bundle), 0o311);
			expect((await catalog.all()).map(({ name }) => name)).toEqual(["own"]);
			expect((await catalog.diagnostics()).map(({ code }) => code)).toEqual(["link_leads_out"]);
			for (const bundle of ["x", "own"]) chmodSync(join(root, bundle), 0o755);
		},
	);

	it.each(["SKILL.md", "its directory"])(
		"has nothing read of a link that comes into the place of %s after it was looked at",
		async (what) => {
			const outside = temporaryBundle({ "x/SKILL.md": skillMd("diary") });
			const { root, project } = trusted({ ".agents/skills/x/SKILL.md": skillMd("x") });
			const [bundle] = (await findBundles(root, project)).bundles;
			const path = what === "SKILL.md" ? "x/SKILL.md" : "x";
			rmSync(join(root, path), { recursive: true });
			symlinkSync(join(outside, path), join(root, path));
			expect(await loadBundle(bundle as never, project)).toMatchObject({
				code: "link_leads_out",
				message: expect.stringContaining(outside),
			});
			// The control: without a project to stay in it is read.
			expect(await loadBundle(bundle as never, undefined)).toMatchObject({ name: "diary" });
		},
	);
});

describe("a bundle's scripts", () => {
	it("are not looked into where scripts/ is a link that leads out of the bundle, and a diagnostic says so", async () => {
		const outside = temporaryBundle({ "private.sh": "#!/bin/sh\n", "data.txt": "" });
		const root = temporaryBundle({ "a/SKILL.md": skillMd("a"), "b/SKILL.md": skillMd("b"), "b/source/run.sh": "#!/bin/sh\n" });
		symlinkSync(outside, join(root, "a/scripts"));
		symlinkSync("source", join(root, "b/scripts"));
		const [a, b] = [await AgentSkill.load(join(root, "a/SKILL.md")), await AgentSkill.load(join(root, "b/SKILL.md"))];
		expect([await a.scripts(), await a.scriptTools()]).toEqual([[], []]);
		expect((await a.diagnostics()).map(({ code, path }) => [code, path])).toEqual([["script_outside_bundle", join(root, "a/scripts")]]);
		expect(touched(outside)).toEqual([]);
		// The control: a link that stays inside is followed.
		expect((await b.scriptTools()).map(({ name }) => name)).toEqual(["run"]);
	});

	it("are opened nowhere else: links out of the bundle are named, whatever they lead to, and so is what became one since it was listed", async () => {
		const outside = temporaryBundle({ "run.sh": "#!/bin/sh\n", "data.txt": "", "later.sh": "#!/bin/sh\n" });
		const root = temporaryBundle({ "a/SKILL.md": skillMd("a"), "a/scripts/later.sh": "#!/bin/sh\n", "a/scripts/own.sh": "#!/bin/sh\n" });
		for (const name of ["run.sh", "data.txt"]) symlinkSync(join(outside, name), join(root, "a/scripts", name));
		const skill = await AgentSkill.load(join(root, "a/SKILL.md"));
		expect(await skill.scripts()).toHaveLength(4);
		rmSync(join(root, "a/scripts/later.sh"));
		symlinkSync(join(outside, "later.sh"), join(root, "a/scripts/later.sh"));
		expect((await skill.scriptTools()).map(({ name }) => name)).toEqual(["own"]);
		expect((await skill.diagnostics()).map(({ code, path }) => `${code} ${path.slice(root.length)}`)).toEqual(
			["data.txt", "later.sh", "run.sh"].map((name) => `script_outside_bundle /a/scripts/${name}`),
		);
		expect(touched(root).filter((call) => /data\.txt|run\.sh/.test(call))).toEqual([]);
	});
});

describe("what looking costs", () => {
	it("is one listing for a bundle, and no other question", async () => {
		const root = temporaryBundle(
			Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`s${index}/SKILL.md`, skillMd(`s${index}`)])),
		);
		forget();
		expect(await new AgentSkillCatalog(root).all()).toHaveLength(40);
		// the root's real path once for the catalog and once for what is below it
		expect(counts()).toEqual({ readdir: 41, realpath: 2, open: 40 });
	});

	it.each([
		["big", "nothing of the kind"],
		["bundle", "a bundle"],
	])("is one question for a link, however many lead to one place (%s, %s)", async (target) => {
		const root = temporaryBundle({
			...Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`big/f${index}`, ""])),
			"bundle/SKILL.md": "",
		});
		for (let index = 0; index < 500; index += 1) symlinkSync(target, join(root, `l${index}`));
		forget();
		const { bundles, diagnostics } = await findBundles(root);
		expect([bundles.map(({ directory }) => directory), diagnostics]).toEqual([[join(root, "bundle")], []]);
		const isBundle = target === "bundle";
		expect(counts()).toEqual({ readdir: isBundle ? 4 : 3, realpath: 501, lstat: 1 });
	});

	it("lists nothing of a place outside that a link leads to and that is no bundle", async () => {
		const outside = temporaryBundle({ "group/x/SKILL.md": "", file: "" });
		const root = temporaryBundle();
		symlinkSync(outside, join(root, "link"));
		expect((await findBundles(root)).diagnostics.map(({ code }) => code)).toEqual(["link_not_followed"]);
		expect(touched(outside)).toEqual([]);
	});

	it("ends at 2,000 links that lead to no bundle, and says where; those to bundles do not count", async () => {
		const outside = temporaryBundle(Object.fromEntries(["a", "b", "c"].map((name) => [`${name}/SKILL.md`, ""])));
		const root = temporaryBundle({ "zz/SKILL.md": "" });
		for (const name of ["a", "b", "c"]) symlinkSync(join(outside, name), join(root, name));
		for (let index = 0; index <= MAX_LINKS; index += 1) symlinkSync("nowhere", join(root, `l${String(index).padStart(4, "0")}`));
		const { diagnostics, bundles } = await findBundles(root);
		expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
			["root_too_large", expect.stringMatching(/holds more than 2,000 links without a bundle; from ".*l2000" on/)],
		]);
		expect(bundles.map(({ real }) => real)).toEqual(["a", "b", "c"].map((name) => join(outside, name)));
		rmSync(join(root, "l0000"));
		expect((await findBundles(root)).bundles).toHaveLength(4);
	});
});
