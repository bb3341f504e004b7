import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import { readSkillFileTool } from "../../src/skill-tool/read-skill-file.js";
import { readSkillFile, skillFiles } from "../../src/skill-tool/skill-files.js";
import { callTool } from "../../src/tool/call-tool.js";

/** Long enough for a reader that can be deceived to be deceived many times. */
const RACE_MS = 1_500;

/**
 * Exchanges two names for ever, in a process of its own that ends with this one: at no moment is one of them missing. A call of Linux, which Node does not
 * make.
 */
async function exchange(one: string, other: string): Promise<() => Promise<void>> {
	const program = `
import ctypes, os, sys
renameat2 = ctypes.CDLL(None).renameat2
one, other = (os.fsencode(name) for name in sys.argv[1:])
parent = os.getppid()
print("begins", flush=True)
while os.getppid() == parent:
    for _ in range(1000): renameat2(-100, one, -100, other, 2)
`;
	const child = spawn("python3", ["-c", program, one, other], { stdio: ["ignore", "pipe", "inherit"] });
	const ended = once(child, "exit");
	await Promise.race([once(child.stdout, "data"), ended]);
	return async () => {
		child.kill("SIGKILL");
		await ended;
	};
}

let top: string;
let skill: AgentSkill;
beforeAll(async () => {
	top = await realpath(await mkdtemp(join(tmpdir(), "robot-lab-skill-files-")));
	const path = join(top, "bundle");
	skill = { name: "guide", path } as AgentSkill;
	const files = {
		"SKILL.md": "---\n---\n",
		LICENSE: "MIT",
		".hidden": "no",
		"references/guide.md": "one\ntwo\nthree",
		"references/deep/a/b.md": "too deep",
		"assets/logo.png": "\0\0",
		"assets/umlaut.txt": "gr\u00fc\u00df",
		"scripts/run.sh": "#!/bin/sh\n",
		"node_modules/x/readme.md": "x",
		"../bundle-b/secret.md": "secret",
		"../secret.md": "secret",
	};
	for (const [name, text] of Object.entries(files)) {
		await mkdir(join(path, name, ".."), { recursive: true });
		await writeFile(join(path, name), text);
	}
	await symlink("../secret.md", join(path, "out.md"));
	await symlink("..", join(path, "up"));
	await symlink("references/guide.md", join(path, "in.md"));
	execFileSync("mkfifo", [join(path, "pipe")]);
	await writeFile(join(path, "references/long.md"), Array.from({ length: 9_000 }, (_, line) => `line ${line + 1}`).join("\n"));
	await writeFile(join(path, "references/one-line.md"), "x".repeat(100_000));
	await writeFile(join(path, "references/huge.md"), "é".repeat(600_000));
	await writeFile(join(path, "latin1.txt"), Buffer.from([0x67, 0x72, 0xfc]));
});
afterAll(() => rm(top, { recursive: true, force: true }));

const read = async (path: unknown, more: object = {}) =>
	(
		await callTool(
			{ name: "read_skill_file", args: { ok: true, value: { skill: "guide", path, ...more } } },
			new Map([["read_skill_file", readSkillFileTool([skill])]]),
			{},
		)
	).text;

describe("skillFiles()", () => {
	it("lists what a model may read, without scripts, dotfiles, licences, links and what lies deep", async () => {
		expect(await skillFiles(skill)).toEqual([
			"assets/logo.png",
			"assets/umlaut.txt",
			"latin1.txt",
			"references/deep/a/b.md",
			"references/guide.md",
			"references/huge.md",
			"references/long.md",
			"references/one-line.md",
		]);
	});

	it("has none where there is no directory, and 50 of a bundle that has more", async () => {
		expect(await skillFiles({ path: join(top, "nowhere") })).toEqual([]);
		const many = join(top, "many");
		await mkdir(many);
		for (let number = 0; number < 60; number++) await writeFile(join(many, `${number}.md`), "x");
		expect(await skillFiles({ path: many })).toHaveLength(50);
	});
});

describe("readSkillFile()", () => {
	it.each(["../secret.md", "references/../../secret.md", "out.md", "up/secret.md", "up/bundle-b/secret.md", "up/bundle/../secret.md"])(
		"reads nothing outside of the bundle by %s",
		async (path) => {
			expect(await readSkillFile(skill, path, 100)).toEqual({
				ok: false,
				message: `Cannot read ${JSON.stringify(path)}: it leads out of the skill.`,
			});
		},
	);

	it.each([
		["/etc/passwd", "name it relative to the bundle's directory"],
		["a\0b", "name it relative to the bundle's directory"],
		["nothing.md", "there is no such file"],
		["references/guide.md/x", "there is no such file"],
		["references", "it is no ordinary file"],
		["pipe", "it is no ordinary file"],
		["", "it is no ordinary file"],
	])("refuses %j", async (path, reason) => {
		expect(await readSkillFile(skill, path, 100)).toMatchObject({ ok: false, message: expect.stringContaining(reason) });
	});

	it("follows links that stay inside, by whatever name the bundle is reached", async () => {
		await symlink(skill.path, join(top, "alias"));
		expect(await readSkillFile({ path: join(top, "alias") }, "in.md", 100)).toMatchObject({
			ok: true,
			bytes: Buffer.from("one\ntwo\nthree"),
		});
	});

	it.runIf(process.platform === "linux")(
		"on Linux hands out nothing of another place, however two directories are exchanged while it reads, one of them a link that leads out",
		async () => {
			const [inside, link] = [join(skill.path, "turn"), join(skill.path, "turn-link")];
			await mkdir(inside);
			await writeFile(join(inside, "secret.md"), "harmless");
			await symlink(top, link);
			const stop = await exchange(inside, link);
			try {
				const seen = new Set<string>();
				for (const end = Date.now() + RACE_MS; Date.now() < end; ) {
					const found = await Promise.all(Array.from({ length: 4 }, () => readSkillFile(skill, "turn/secret.md", 100)));
					for (const one of found) seen.add(one.ok ? one.bytes.toString() : "refused");
				}
				expect([...seen].sort()).toEqual(["harmless", "refused"]);
			} finally {
				await stop();
			}
		},
	);

	it("reads a loaded skill's files from where it was, when a link lies in its place", async () => {
		const [path, aside] = [join(top, "loaded"), join(top, "loaded-aside")];
		await mkdir(path);
		for (const [name, text] of [
			["SKILL.md", "---\nname: loaded\ndescription: x\n---\n"],
			["note.md", "mine"],
		] as const) {
			await writeFile(join(path, name), text);
		}
		const loaded = await AgentSkill.load(join(path, "SKILL.md"));
		expect(await readSkillFile(loaded, "note.md", 100)).toMatchObject({ ok: true });
		await rename(path, aside);
		await symlink(top, path);
		expect(await readSkillFile(loaded, "secret.md", 100)).toMatchObject({ ok: false, message: expect.stringContaining("leads out") });
		expect(await skillFiles(loaded)).toEqual([]);
		expect(await readSkillFile({ path }, "secret.md", 100)).toMatchObject({ ok: true });
	});
});

describe("read_skill_file", () => {
	it("reads text, from a line on, and says how to read on", async () => {
		expect(await read("references/guide.md")).toBe("one\ntwo\nthree");
		expect(await read("references/guide.md", { from_line: 3 })).toBe("three");
		const long = await read("references/long.md");
		const next = Number(/\[9000 lines; read on with from_line (\d+)\.\]$/.exec(long)?.[1]);
		expect(long.split("\n").at(-2)).toBe(`line ${next - 1}`);
		expect((await read("references/long.md", { from_line: next })).split("\n")[0]).toBe(`line ${next}`);
	});

	it("cuts one endless line and a file beyond a MiB, and says so", async () => {
		expect(await read("references/one-line.md")).toMatch(/^x{32768}\n\[1 lines; read on with from_line 2\.\]$/);
		expect(await read("references/huge.md")).toMatch(/^é+\n\[1 lines/);
	});

	it.each([
		["assets/logo.png", "it is no text (2 bytes)"],
		["latin1.txt", "it is no text (3 bytes)"],
		["../secret.md", "it leads out of the skill"],
	])("says of %s that it is not read", async (path, reason) => {
		const text = await read(path);
		expect(text).toContain(reason);
		expect(text).not.toContain("secret\n");
	});

	it.each([[{ skill: "other" }], [{ from_line: 0 }], [{ from_line: "all" }], [{ path: 7 }], [{ more: true }]])(
		"refuses %j as arguments",
		async (more) => {
			expect(await read("references/guide.md", more)).toMatch(/^Error \(invalid arguments\)|^Error/);
		},
	);

	it("names a line that is not there", async () => {
		expect(await read("references/guide.md", { from_line: 4 })).toContain("There is no line 4; the file has 3.");
	});
});
