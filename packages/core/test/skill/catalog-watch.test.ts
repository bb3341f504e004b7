import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { revokeTrust, trustProject } from "../../src/config/trusted-projects.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { AgentSkillCatalog } from "../../src/skill/agent-skill-catalog.js";
import type { SkillChanges } from "../../src/skill/repeated-scan.js";
import { temporaryBundle } from "../script/bundle.js";

const skillMd = (name: string, description = "x"): string => `---\nname: ${name}\ndescription: ${description}\n---\n`;

function write(root: string, path: string, text: string): void {
	mkdirSync(join(root, path, ".."), { recursive: true });
	writeFileSync(join(root, path), text);
}

/** A catalog that is watched, of these roots or, without any, of the configuration's, and what was told of it, by names. */
async function watched(...roots: readonly string[]) {
	const catalog = roots.length === 0 ? new AgentSkillCatalog() : new AgentSkillCatalog(roots);
	const told: Record<"added" | "removed" | "changed", readonly string[]>[] = [];
	const watch = catalog.watch(({ added, removed, changed }: SkillChanges) => {
		const names = (skills: SkillChanges["added"]): readonly string[] => skills.map(({ name }) => name);
		told.push({ added: names(added), removed: names(removed), changed: names(changed) });
	});
	onTestFinished(() => watch[Symbol.dispose]());
	await catalog.all();
	/** Resolves once everything of `name` that was told is as expected. */
	const has = (what: "added" | "removed" | "changed", name: string): Promise<void> =>
		vi.waitFor(() => expect(told.flatMap((changes) => changes[what])).toContain(name), { timeout: 20_000, interval: 20 });
	return { catalog, told, watch, has };
}

describe("AgentSkillCatalog.watch", () => {
	it("tells of bundles that come, change and go, and all() and find() answer what is there; a skill that was handed out stays as it was", async () => {
		const root = temporaryBundle({ "a/SKILL.md": skillMd("a"), "stays/SKILL.md": skillMd("stays") });
		const { catalog, has, told } = await watched(root);
		const [before, stays] = [await catalog.find("a"), await catalog.find("stays")];
		write(root, "group/b/SKILL.md", skillMd("b"));
		await has("added", "b");
		write(root, "a/SKILL.md", skillMd("a", "later"));
		await has("changed", "a");
		expect([(await catalog.find("a"))?.description, before?.description]).toEqual(["later", "x"]);
		rmSync(join(root, "a"), { recursive: true });
		await has("removed", "a");
		expect((await catalog.all()).map(({ name }) => name)).toEqual(["b", "stays"]);
		expect(await catalog.find("stays")).toBe(stays);
		expect(told.flatMap(({ changed }) => changed)).not.toContain("stays");
	});

	it("tells of scripts: a new one, its text, its executable bit, one in a directory that is new", async () => {
		const root = temporaryBundle({ "a/SKILL.md": skillMd("a") });
		const { catalog, told } = await watched(root);
		let times = 0;
		const tools = async (): Promise<readonly string[]> =>
			(await (await catalog.find("a"))?.scriptTools())?.map(({ name, description }) => `${name}: ${description}`) ?? [];
		const changedAgain = async (): Promise<void> => {
			await vi.waitFor(() => expect(told.length).toBeGreaterThan(times), { timeout: 20_000, interval: 20 });
			times = told.length;
		};
		expect(await tools()).toEqual([]);
		write(root, "a/scripts/run.sh", "#!/bin/sh\n# First.\n");
		chmodSync(join(root, "a/scripts/run.sh"), 0o755);
		await vi.waitFor(async () => expect(await tools()).toEqual([expect.stringContaining("First.")]), { timeout: 20_000, interval: 20 });
		times = told.length;
		writeFileSync(join(root, "a/scripts/run.sh"), "#!/bin/sh\n# Second.\n");
		await changedAgain();
		expect(await tools()).toEqual([expect.stringContaining("Second.")]);
	});

	it("sees a root that comes later, one that goes and comes again, and one whose directories were moved", async () => {
		const parent = temporaryBundle();
		const { catalog, has, told } = await watched(join(parent, "deep/later"));
		write(parent, "deep/later/a/SKILL.md", skillMd("a"));
		await has("added", "a");
		rmSync(join(parent, "deep"), { recursive: true });
		await has("removed", "a");
		write(parent, "deep/later/group/b/SKILL.md", skillMd("b"));
		await has("added", "b");
		renameSync(join(parent, "deep/later/group"), join(parent, "aside"));
		await has("removed", "b");
		told.length = 0;
		write(parent, "deep/later/group/b/SKILL.md", skillMd("b", "another"));
		await has("added", "b");
		write(parent, "deep/later/group/b/SKILL.md", skillMd("b", "once more"));
		await has("changed", "b");
		expect((await catalog.find("b"))?.description).toBe("once more");
		// another directory in its place before anybody looks: what changes in that one is told of, too
		renameSync(join(parent, "deep/later/group"), join(parent, "aside-too"));
		write(parent, "deep/later/group/b/SKILL.md", skillMd("b", "in its place"));
		await vi.waitFor(async () => expect((await catalog.find("b"))?.description).toBe("in its place"), { timeout: 20_000, interval: 20 });
		write(parent, "deep/later/group/b/SKILL.md", skillMd("b", "and changed"));
		await vi.waitFor(async () => expect((await catalog.find("b"))?.description).toBe("and changed"), { timeout: 20_000, interval: 20 });
	});

	it("tells of the skill that comes into the place of another root's, and of one that breaks", async () => {
		const [first, second] = [
			temporaryBundle({ "a/SKILL.md": skillMd("same", "first") }),
			temporaryBundle({ "a/SKILL.md": skillMd("same", "second") }),
		];
		const { catalog, has } = await watched(first, second);
		rmSync(join(first, "a"), { recursive: true });
		await has("changed", "same");
		expect((await catalog.find("same"))?.description).toBe("second");
		write(second, "a/SKILL.md", "broken");
		await has("removed", "same");
		expect((await catalog.diagnostics()).map(({ code }) => code)).toEqual(["skill_invalid"]);
	});

	it("survives a flood of changes and listeners that throw, and looks far less often than it is told", async () => {
		const root = temporaryBundle({ "a/SKILL.md": skillMd("a") });
		const { catalog, has, told } = await watched(root);
		const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
		onTestFinished(() => warned.mockRestore());
		for (const fail of [
			() => {
				throw new Error("mine");
			},
			async () => Promise.reject(new Error("later")),
		]) {
			const failing = catalog.watch(fail);
			onTestFinished(() => failing[Symbol.dispose]());
		}
		for (let index = 0; index < 300; index += 1) write(root, `s${index}/SKILL.md`, skillMd(`s${index}`));
		symlinkSync("/", join(root, "everything"));
		await has("added", "s299");
		expect((await catalog.all()).length).toBe(301);
		expect(told.length).toBeLessThan(30);
		await vi.waitFor(() =>
			expect(warned.mock.calls.map(([message]) => String(message))).toEqual(
				expect.arrayContaining([expect.stringContaining("mine"), expect.stringContaining("later")]),
			),
		);
	});

	it("tells every listener, and none any more that stopped; the last one ends it", async () => {
		const root = temporaryBundle();
		const { catalog, has, told, watch } = await watched(root);
		const other: number[] = [];
		const second = catalog.watch(({ added }) => other.push(added.length));
		write(root, "a/SKILL.md", skillMd("a"));
		await has("added", "a");
		await vi.waitFor(() => expect(other).toEqual([1]));
		watch[Symbol.dispose]();
		write(root, "b/SKILL.md", skillMd("b"));
		await vi.waitFor(() => expect(other).toEqual([1, 1]), { timeout: 20_000, interval: 20 });
		expect(told).toHaveLength(1);
		second[Symbol.dispose]();
		second[Symbol.dispose]();
		write(root, "c/SKILL.md", skillMd("c"));
		expect((await catalog.all()).length).toBe(2);
		catalog.reload();
		expect((await catalog.all()).length).toBe(3);
		expect(other).toEqual([1, 1]);
	});

	it("answers with what is there after reload(), without waiting for the system to tell", async () => {
		const root = temporaryBundle();
		const { catalog, has } = await watched(root);
		write(root, "a/SKILL.md", skillMd("a"));
		catalog.reload();
		expect((await catalog.all()).map(({ name }) => name)).toEqual(["a"]);
		await has("added", "a");
	});

	it("tells of SKILL.md and scripts of a bundle with more files than are looked at, and says that it does not see all; reload() reads anew even what looks the same", async () => {
		const rest = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`a/.venv/lib/m${index}.py`, ""]));
		const root = temporaryBundle({ "a/SKILL.md": skillMd("a"), "a/scripts/deep/z.sh": "#!/bin/sh\n", "a/z.md": "", ...rest });
		const { catalog, has, told } = await watched(root);
		expect((await catalog.diagnostics()).map(({ code, path }) => [code, path])).toEqual([["watch_incomplete", join(root, "a")]]);
		write(root, "a/SKILL.md", skillMd("a", "later"));
		await has("changed", "a");
		told.length = 0;
		write(root, "a/scripts/b.sh", "#!/bin/sh\n# New.\n");
		await has("changed", "a");
		const before = await catalog.find("a");
		catalog.reload();
		const after = await catalog.find("a");
		expect(after).not.toBe(before);
		expect(after).toEqual(before);
	});

	it("after reload() has new skills, and tells of none that is what it was", async () => {
		const root = temporaryBundle({ "a/SKILL.md": skillMd("a"), "b/SKILL.md": skillMd("b") });
		const { catalog, told } = await watched(root);
		const before = await catalog.all();
		// the same size, the same file, the same times: nothing tells it from what it was
		const { atime, mtime } = statSync(join(root, "a/SKILL.md"));
		writeFileSync(join(root, "a/SKILL.md"), skillMd("a", "y"));
		utimesSync(join(root, "a/SKILL.md"), atime, mtime);
		catalog.reload();
		const after = await catalog.all();
		expect(after.map(({ description }) => description)).toEqual(["y", "x"]);
		expect(after[1]).not.toBe(before[1]);
		expect(told).toEqual([{ added: [], removed: [], changed: ["a"] }]);
	});

	it("follows a root that is a link and leads elsewhere, a root whose parent is another one, and a bundle behind links", async () => {
		const top = temporaryBundle({
			"v1/one/SKILL.md": skillMd("one"),
			"v2/two/SKILL.md": skillMd("two"),
			"app/skills/three/SKILL.md": skillMd("three"),
			"v1/deep/store/four/SKILL.md": skillMd("four"),
			"roots/linked/.keep": "",
		});
		symlinkSync("v1", join(top, "current"));
		symlinkSync("v1", join(top, "stored"));
		symlinkSync("../../stored/deep/store/four", join(top, "roots/linked/four"));
		const { catalog, has, told } = await watched(join(top, "current"), join(top, "app/skills"), join(top, "roots/linked"));
		expect((await catalog.all()).map(({ name }) => name)).toEqual(["four", "one", "three"]);
		symlinkSync("v2", join(top, "next"));
		renameSync(join(top, "next"), join(top, "current"));
		await has("added", "two");
		await has("removed", "one");
		for (let round = 0; round < 3; round += 1) {
			told.length = 0;
			for (const [target, what] of [
				["v2", "removed"],
				["v1", "added"],
			] as const) {
				symlinkSync(target, join(top, "next"));
				renameSync(join(top, "next"), join(top, "stored"));
				await has(what, "four");
			}
		}
		renameSync(join(top, "app"), join(top, "app.old"));
		await has("removed", "three");
		write(top, "app/skills/five/SKILL.md", skillMd("five"));
		await has("added", "five");
	});

	it("sees that a project is trusted, and that it is not any more", async () => {
		const home = temporaryBundle({ "work/.agents/skills/a/SKILL.md": skillMd("a") });
		for (const [name, value] of Object.entries({ HOME: home, XDG_CONFIG_HOME: "", ROBOT_LAB_ENV: "development" })) vi.stubEnv(name, value);
		const cwd = vi.spyOn(process, "cwd").mockReturnValue(join(home, "work"));
		onTestFinished(() => {
			cwd.mockRestore();
			vi.unstubAllEnvs();
			reloadConfig();
		});
		reloadConfig();
		configure({ skills: { roots: [], discover: true } });
		const { has, told } = await watched();
		// more than once: what happens right after watching began or got more to watch is seen by another look in any case
		for (let round = 0; round < 3; round += 1) {
			told.length = 0;
			trustProject(join(home, "work"));
			await has("added", "a");
			revokeTrust(join(home, "work"));
			await has("removed", "a");
		}
	});

	it.each([
		["listener", [3]],
		["option", [() => {}, { debounce: 1 }]],
		["options", [() => {}, null]],
	] as const)("refuses a wrong %s", (_, args) => {
		expect(() => new AgentSkillCatalog([]).watch(...(args as unknown as []))).toThrow(ConfigurationError);
	});
});

const INDEX = new URL("../../dist/index.js", import.meta.url).href;

/** Runs a program that has a catalog `c` of one skill, `a`, in `root`. */
function program(text: string, before: readonly string[] = []) {
	const root = temporaryBundle({ "a/SKILL.md": skillMd("a") });
	const module = `import { AgentSkillCatalog } from ${JSON.stringify(INDEX)}; const root = ${JSON.stringify(root)}; const c = new AgentSkillCatalog(root); ${text}`;
	const [name = process.execPath, ...args] = [...before, process.execPath, "--input-type=module", "-e", module];
	return spawnSync(name, args, { encoding: "utf8", timeout: 60_000 });
}

it.each([
	["{}", ""],
	["{ keepAlive: true }", "still here\n"],
])("a process that watches with %s ends by itself, or stays", (options, stdout) => {
	const watching = `c.watch(() => {}, ${options}); await c.all(); setTimeout(() => { console.log("still here"); process.exit(); }, 300).unref();`;
	expect(program(watching)).toMatchObject({ status: 0, stdout, stderr: "" });
});

/** A namespace in which the system watches two directories and no more. */
const FEW_WATCHES = ["unshare", "--user", "--map-root-user", "sh", "-c", 'echo 2 > /proc/sys/user/max_inotify_watches && exec "$@"', "sh"];
const canLimit = process.platform === "linux" && spawnSync(FEW_WATCHES[0] ?? "", [...FEW_WATCHES.slice(1), "true"]).status === 0;

it.runIf(canLimit)(
	"where the system does not tell of changes a diagnostic says so, and they are found all the same (needs user namespaces)",
	() => {
		const watching = `
		import { mkdirSync, writeFileSync } from "node:fs";
		const told = new Promise((resolve) => c.watch(resolve, { keepAlive: true }));
		mkdirSync(root + "/one"); mkdirSync(root + "/two"); c.reload(); await c.all();
		console.log((await c.diagnostics()).map(({ code }) => code).join());
		writeFileSync(root + "/one/SKILL.md", "---\\nname: one\\ndescription: x\\n---\\n");
		console.log((await told).added.map(({ name }) => name).join());
		process.exit();`;
		expect(program(watching, FEW_WATCHES)).toMatchObject({ status: 0, stdout: "watch_limited\none\n", stderr: "" });
	},
);
