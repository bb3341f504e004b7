import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkAgainstLock, createSkillLock, readSkillLock, writeSkillLock } from "../../src/approval/skill-lock.js";
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
});
