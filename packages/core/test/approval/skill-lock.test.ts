import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { approveScript } from "../../src/approval/approve-script.js";
import { bundleDigest } from "../../src/approval/bundle-digest.js";
import { checkAgainstLock, createSkillLock, readSkillLock, writeSkillLock } from "../../src/approval/skill-lock.js";
import { Capabilities } from "../../src/capability/capabilities.js";
import { temporaryBundle } from "../script/bundle.js";
import { greeting } from "./bundle.js";

describe("a skills-lock.json", () => {
	it("is the same text for the same bundles, whatever their order and place, and says what it was made of", async () => {
		const place = temporaryBundle();
		const [one, other] = [greeting(), greeting({ "notes.md": "" })];
		const [left, right] = [join(place, "left.json"), join(place, "right.json")];
		await writeSkillLock(
			left,
			await createSkillLock([
				{ name: "__proto__", path: one },
				{ name: "b", path: other },
			]),
		);
		await writeSkillLock(
			right,
			await createSkillLock([
				{ name: "b", path: other },
				{ name: "__proto__", path: greeting() },
			]),
		);
		expect(readFileSync(left, "utf8")).toBe(readFileSync(right, "utf8"));
		const lock = await readSkillLock(left);
		expect(Object.keys(lock.skills)).toEqual(["__proto__", "b"]);
		expect(await checkAgainstLock(lock, { name: "__proto__", path: one })).toBeUndefined();
		expect(await checkAgainstLock(lock, { name: "b", path: one })).toEqual({
			kind: "files_changed",
			changes: { added: [], changed: [], removed: ["notes.md"] },
		});
		expect(await checkAgainstLock({ version: 1, skills: {} }, { name: "toString", path: one })).toEqual({ kind: "not_locked" });
	});

	it("is refused where it is missing, broken, of another version, or a digest is not of the files beside it", async () => {
		const path = join(temporaryBundle(), "skills-lock.json");
		await expect(readSkillLock(path)).rejects.toThrow(/There is no lock file .* robot-lab skills lock/);
		await writeSkillLock(path, await createSkillLock([{ name: "greet", path: greeting() }]));
		const text = readFileSync(path, "utf8");
		const broken = [
			"",
			"null",
			"[]",
			'{"version":1}',
			'{"version":1,"skills":[]}',
			text.replace('"version": 1', '"version": 2'),
			text.replace("scripts/greet.sh", "scripts/great.sh"),
			text.replace(/"digest": "sha256:\w{8}/, '"digest": "sha256:00000000'),
		];
		for (const content of broken) {
			expect(content).not.toBe(text);
			writeFileSync(path, content);
			await expect(readSkillLock(path)).rejects.toMatchObject({
				code: "configuration",
				message: expect.stringMatching(/The lock file .* Look at it/),
			});
		}
		await expect(readSkillLock(join(path, ".."))).rejects.toThrow(/is no regular file/);
	});

	it("takes the place of a link, and leaves what that leads to alone", async () => {
		const place = temporaryBundle({ precious: "mine" });
		symlinkSync("precious", join(place, "skills-lock.json"));
		await writeSkillLock(join(place, "skills-lock.json"), await createSkillLock([]));
		expect(readFileSync(join(place, "precious"), "utf8")).toBe("mine");
		expect(await readSkillLock(join(place, "skills-lock.json"))).toEqual({ version: 1, skills: {} });
		rmSync(join(place, "skills-lock.json"));
	});

	it("is not made of two skills of one name, nor of one that cannot be locked", async () => {
		const bundle = greeting();
		await expect(
			createSkillLock([
				{ name: "a", path: bundle },
				{ name: "a", path: greeting() },
			]),
		).rejects.toThrow(/Two skills are called "a"/);
		symlinkSync("/etc", join(bundle, "etc"));
		await expect(createSkillLock([{ name: "a", path: bundle }])).rejects.toThrow(/cannot be approved or locked/);
	});

	it("remembers roots so that another clone and another user have them, and holds for what lies in them and for the names that it has", async () => {
		const [first, second] = [temporaryBundle(), temporaryBundle()];
		const roots = [join(first, "skills"), join(homedir(), ".prompts/skills"), first, "/srv/skills"];
		const skills = { greet: await bundleDigest(greeting()) };
		await writeSkillLock(join(first, "lock.json"), { version: 1, skills, roots });
		const text = readFileSync(join(first, "lock.json"), "utf8");
		expect(JSON.parse(text).roots).toEqual([".", "/srv/skills", "skills", "~/.prompts/skills"]);
		writeFileSync(join(second, "lock.json"), text);
		const lock = await readSkillLock(join(second, "lock.json"));
		expect(lock.roots).toEqual([second, "/srv/skills", join(second, "skills"), join(homedir(), ".prompts/skills")]);

		const own = greeting();
		const added = join(second, "skills/new");
		cpSync(own, added, { recursive: true });
		const link = join(second, "skills/link");
		symlinkSync(own, link);
		// what somebody added or gave another name, where all is locked
		for (const path of [added, link]) expect(await checkAgainstLock(lock, { name: "other", path })).toEqual({ kind: "not_locked" });
		// the user's own skills, of which a project's lock knows nothing
		expect(await checkAgainstLock(lock, { name: "other", path: own })).toBeUndefined();
		writeFileSync(join(own, "more"), "");
		expect(await checkAgainstLock(lock, { name: "greet", path: own })).toMatchObject({ kind: "files_changed" });
		expect(await checkAgainstLock({ ...lock, roots: [] }, { name: "other", path: added })).toBeUndefined();
	});

	it("finds what lies in a root by whatever links lead there", async () => {
		const place = temporaryBundle();
		cpSync(greeting(), join(place, "real/greet"), { recursive: true });
		symlinkSync("real", join(place, "root"));
		const lock = { version: 1, skills: {}, roots: [join(place, "root")] } as const;
		expect(await checkAgainstLock(lock, { name: "greet", path: join(place, "real/greet") })).toEqual({ kind: "not_locked" });
	});

	it("is refused where brackets stand in brackets as in no lock, without a parser that takes seconds for them, and names may hold any", async () => {
		const place = temporaryBundle({ "s/SKILL.md": "---\nname: s\ndescription: x\n---\n", 's/[[[[[[[[[[[[[[[[[["[.md': "x" });
		const path = join(place, "lock.json");
		await writeSkillLock(path, await createSkillLock([{ name: "s", path: join(place, "s") }]));
		expect(Object.keys((await readSkillLock(path)).skills)).toEqual(["s"]);
		const parse = vi.spyOn(JSON, "parse");
		for (const text of ["[".repeat(100_000), `{"version":1,"skills":{},"x":${"[".repeat(20)}${"]".repeat(20)}}`]) {
			writeFileSync(path, text);
			await expect(readSkillLock(path)).rejects.toThrow(/holds no lock of a version known here/);
		}
		expect(parse).not.toHaveBeenCalled();
		parse.mockRestore();
	});

	it.each([
		'"skills"',
		"[5]",
		'[""]',
		'["a\\u0000b"]',
		"{}",
		"null",
		JSON.stringify(["a/".repeat(3000)]),
		JSON.stringify(Array(101).fill("a")),
	])("is refused with %s as roots", async (roots) => {
		const path = join(temporaryBundle(), "skills-lock.json");
		writeFileSync(path, `{ "version": 1, "skills": {}, "roots": ${roots} }`);
		await expect(readSkillLock(path)).rejects.toThrow(/has roots that are no directories.* Look at it/);
	});

	it("holds for a bundle that the host trusts, too, which nobody is asked about", async () => {
		const bundle = greeting();
		const core = { name: "greet", path: bundle, capabilities: new Capabilities({ trust: "core" }) };
		const lock = await createSkillLock([core]);
		const call = { tool: "greet", input: {} };
		const approve = async (): Promise<"deny"> => "deny";
		for (const options of [{ lock }, { lock, approve }]) expect(await approveScript(core, call, options)).toEqual({ directory: bundle });
		writeFileSync(join(bundle, "more"), "");
		for (const options of [{ lock }, { lock, approve }])
			expect((await approveScript(core, call, options)).refusal?.message).toMatch(/is not what the lock says: added "more"/);
		expect(await approveScript(core, call, { approve })).toEqual({ directory: bundle });
	});

	it("takes ~, and refuses what is no path, no lock and no skill with what is right, writing nothing", async () => {
		const skill = { name: "greet", path: greeting() };
		const lock = await createSkillLock([skill]);
		const junk = { path: undefined as never, lock: {} as never, none: undefined as never };
		const refusals: readonly (readonly [Promise<unknown>, RegExp])[] = [
			[writeSkillLock(junk.path, lock), /Cannot write a lock to undefined: give the path of a skills-lock\.json\./],
			[writeSkillLock("", lock), /Cannot write a lock to "": give the path/],
			[readSkillLock(junk.path), /Cannot read a lock from undefined: give the path/],
			[readSkillLock(5 as never), /Cannot read a lock from 5: give the path/],
			[writeSkillLock("lock.json", junk.none), /writeSkillLock\(\) takes as lock what readSkillLock\(\) gives, got null/],
			[checkAgainstLock(junk.none, skill), /checkAgainstLock\(\) takes as lock what readSkillLock\(\) gives, got null/],
			[checkAgainstLock(junk.lock, skill), /takes as lock what readSkillLock\(\) gives; this one has no skills/],
			[checkAgainstLock("skills-lock.json" as never, skill), /got "skills-lock\.json"/],
			[checkAgainstLock({ ...lock, roots: ["skills"] }, skill), /the roots of this one are no absolute paths/],
			[checkAgainstLock(lock, junk.none), /checkAgainstLock\(\) takes a skill with its name and path, got undefined/],
			[checkAgainstLock(lock, { name: "greet" } as never), /takes a skill with its name and path/],
			[createSkillLock(junk.none), /createSkillLock\(\) takes a list of skills/],
			[createSkillLock([{ name: "a" } as never]), /createSkillLock\(\) takes a list of skills/],
		];
		for (const [refusal, message] of refusals)
			await expect(refusal).rejects.toMatchObject({ code: "configuration", message: expect.stringMatching(message) });
		for (const name of ["undefined", "lock.json"]) expect(existsSync(name)).toBe(false);
		const home = temporaryBundle();
		const { HOME } = process.env;
		process.env.HOME = home;
		try {
			await writeSkillLock("~/lock.json", lock);
			expect(await readSkillLock("~/lock.json")).toEqual(lock);
		} finally {
			process.env.HOME = HOME;
		}
		expect(existsSync(join(home, "lock.json"))).toBe(true);
	});
});
