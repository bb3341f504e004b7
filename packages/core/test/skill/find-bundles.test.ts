import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { findBundles, MAX_GROUPS } from "../../src/skill/find-bundles.js";
import { temporaryBundle } from "../script/bundle.js";

afterEach(() => {
	vi.unstubAllEnvs();
});

/** Bundles and diagnostics below a root, without the root's own path. */
async function found(root: string, within?: string): Promise<{ bundles: readonly string[]; flaws: readonly string[] }> {
	const { bundles, diagnostics } = await findBundles(root, within);
	const short = (path: string): string => path.slice(root.length + 1);
	return {
		bundles: bundles.map(({ directory }) => short(directory)),
		flaws: diagnostics.map(({ code, path }) => `${code} ${short(path)}`.trim()),
	};
}

describe("findBundles", () => {
	it("finds bundles at any depth, stops at each, and sorts them by path", async () => {
		const root = temporaryBundle({
			"b/SKILL.md": "",
			"b/inner/SKILL.md": "",
			"a/SKILL.md": "",
			"a-z/SKILL.md": "",
			"group/x/SKILL.md": "",
			"group/deep/y/SKILL.md": "",
			"a.txt": "",
		});
		expect(await found(root)).toEqual({ bundles: ["a", "a-z", "b", "group/deep/y", "group/x"], flaws: [] });
	});

	it("sees whether a bundle may have scripts, by whatever case some file systems take for the same, and a link as well", async () => {
		const root = temporaryBundle({
			"a/SKILL.md": "",
			"b/SKILL.md": "",
			"b/Scripts/x": "",
			"c/SKILL.md": "",
			"d/SKILL.md": "",
			"d/scripts-of-old/x": "",
		});
		symlinkSync("../b/Scripts", join(root, "c/scripts"));
		const { bundles } = await findBundles(root);
		expect(bundles.map(({ hasScripts }) => hasScripts)).toEqual([false, true, true, false]);
	});

	it("looks six directories deep and no deeper", async () => {
		const root = temporaryBundle({ "1/2/3/4/5/six/SKILL.md": "", "1/2/3/4/5/6/seven/SKILL.md": "" });
		expect((await found(root)).bundles).toEqual(["1/2/3/4/5/six"]);
	});

	it("passes over .git and node_modules at every depth, and finds no bundles in other directories with a dot, which may be one", async () => {
		const root = temporaryBundle({
			".git/SKILL.md": "",
			".git/hooks/SKILL.md": "",
			"node_modules/SKILL.md": "",
			"group/node_modules/x/SKILL.md": "",
			".venv/lib/SKILL.md": "",
			".system/SKILL.md": "",
		});
		expect(await found(root)).toEqual({ bundles: [".system"], flaws: [] });
	});

	it("takes no other name than SKILL.md, says so, and looks no further there", async () => {
		const root = temporaryBundle({
			"a/skill.md": "",
			"b/Skill.MD": "",
			"b/inner/SKILL.md": "",
			"c/SKILL.md.bak": "",
			"d/skill.md/SKILL.md": "",
		});
		expect(await found(root)).toEqual({
			bundles: ["d/skill.md"],
			flaws: ["skill_file_misnamed a/skill.md", "skill_file_misnamed b/Skill.MD"],
		});
	});

	it("follows a link to a bundle anywhere, and none to a directory that holds some: what is inside is found anyway, what is outside is named", async () => {
		const outside = temporaryBundle({ "bundle/SKILL.md": "", "group/x/SKILL.md": "" });
		const root = temporaryBundle({ "real/x/SKILL.md": "", file: "" });
		const links = {
			bundle: join(outside, "bundle"),
			elsewhere: outside,
			everything: "/",
			file: "file",
			inside: "real",
			loop: ".",
			nowhere: "none",
			up: "..",
		};
		for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, `link-${name}`));
		expect(await found(root)).toEqual({
			bundles: ["link-bundle", "real/x"],
			flaws: ["link_not_followed link-elsewhere", "link_not_followed link-everything", "link_not_followed link-up"],
		});
	});

	it("follows no link out of a project, neither a bundle's nor a SKILL.md, and says where it leads", async () => {
		const outside = temporaryBundle({ "bundle/SKILL.md": "secret" });
		const project = temporaryBundle({ "skills/own/SKILL.md": "", "shared/other/SKILL.md": "" });
		const root = join(project, "skills");
		symlinkSync(join(outside, "bundle"), join(root, "out"));
		symlinkSync("../shared/other", join(root, "within"));
		mkdirSync(join(root, "file-out"));
		symlinkSync(join(outside, "bundle/SKILL.md"), join(root, "file-out/SKILL.md"));
		symlinkSync("loop", join(root, "loop"));
		expect(await found(root, project)).toEqual({ bundles: ["own", "within"], flaws: ["link_leads_out file-out", "link_leads_out out"] });
		// The control: they are followed where nothing is a project's.
		expect((await found(root)).bundles).toEqual(["file-out", "loop", "out", "own", "within"]);
	});

	it("looks through 2,000 directories without a bundle, the nearest first, and says where it stopped; bundles do not count", async () => {
		const root = temporaryBundle({ "0/deep/SKILL.md": "", "zz/SKILL.md": "" });
		for (let index = 0; index < MAX_GROUPS; index += 1) mkdirSync(join(root, `g${String(index).padStart(4, "0")}`));
		const { bundles, flaws } = await found(root);
		expect(flaws).toEqual(["root_too_large"]);
		expect(bundles).toEqual([]);
		rmSync(join(root, "g0000"), { recursive: true });
		expect(await found(root)).toEqual({ bundles: ["0/deep", "zz"], flaws: [] });
	});

	it("opens no file: a FIFO is not waited for, and one that may not be read is found", async () => {
		const root = temporaryBundle({ "secret/SKILL.md": { text: "", mode: 0o000 }, "odd\u001b[2J\nname/SKILL.md": "" });
		mkdirSync(join(root, "fifo"));
		execFileSync("mkfifo", [join(root, "fifo/SKILL.md"), join(root, "queue")]);
		expect((await found(root)).bundles).toEqual(["fifo", "odd\u001b[2J\nname", "secret"]);
	});

	it.each([undefined, 3, "", {}])("refuses %j, which is no directory's path", async (path) => {
		await expect(findBundles(path as never)).rejects.toThrow(/^Cannot look for bundles in .*: give the path of a directory\.$/);
	});

	it("expands ~, and gives absolute paths", async () => {
		vi.stubEnv("HOME", temporaryBundle({ "mine/a/SKILL.md": "" }));
		expect((await findBundles("~/mine")).bundles.map(({ directory }) => directory)).toEqual([join(process.env.HOME ?? "", "mine", "a")]);
		const here = join(process.env.HOME ?? "", "mine");
		expect((await findBundles(relative(process.cwd(), here))).bundles.map(({ directory }) => directory)).toEqual([join(here, "a")]);
	});

	it("is empty for what is not there, and for a root that goes while it is looked through", async () => {
		expect(await findBundles("/nonexistent/skills")).toEqual({ bundles: [], diagnostics: [], groups: [], links: [] });
		const root = temporaryBundle(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`g/s${index}/SKILL.md`, ""])));
		const finding = findBundles(root);
		rmSync(root, { recursive: true });
		expect((await finding).diagnostics).toEqual([]);
	});

	it.skipIf(process.getuid?.() === 0)(
		"leaves it to whoever loads a bundle to say that a directory cannot be listed (root may list every one)",
		async () => {
			const root = temporaryBundle({ "closed/SKILL.md": "" });
			chmodSync(join(root, "closed"), 0o000);
			expect((await findBundles(root)).bundles).toMatchObject([{ directory: join(root, "closed"), isListed: false }]);
			chmodSync(join(root, "closed"), 0o700);
		},
	);
});
