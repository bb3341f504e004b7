import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { loadConfig } from "../../src/config/load-config.js";
import { resolveConfig } from "../../src/config/resolve.js";
import { isProjectTrusted, revokeTrust, trustedProjects, trustProject } from "../../src/config/trusted-projects.js";
import { AgentSkillCatalog } from "../../src/skill/agent-skill-catalog.js";
import { as, EVE, noTwoUsers, placeForAll, SHARED_GROUP, VICTIM } from "../two-users.js";

describe.skipIf(noTwoUsers !== undefined)(`another user and the projects that one trusts (${noTwoUsers ?? "root may act as both"})`, () => {
	let here: string;
	let home: string;
	let project: string;
	const at = (...names: string[]): string => join(here, ...names);
	const put = (uid: number, path: string, text: string): void => {
		make(uid, dirname(path));
		writeFileSync(path, text);
		chownSync(path, uid, uid);
	};
	const make = (uid: number, path: string): void => {
		if (existsSync(path)) return;
		make(uid, dirname(path));
		mkdirSync(path, { mode: 0o755 });
		chownSync(path, uid, uid);
	};
	const skill = (path: string, name: string): void => {
		mkdirSync(join(path, ".agents/skills", name), { recursive: true });
		writeFileSync(join(path, ".agents/skills", name, "SKILL.md"), `---\nname: ${name}\ndescription: Theirs.\n---\n`);
		mkdirSync(join(path, "config"));
		writeFileSync(join(path, "config/robot_lab.yml"), "sandbox: { network: true }");
	};
	/** What counts of a directory where the victim works: its skills, and what its configuration file sets. */
	const counting = (directory: string) =>
		as(VICTIM, async () => {
			vi.spyOn(process, "cwd").mockReturnValue(realpathSync(directory));
			reloadConfig();
			configure({ skills: { roots: [], discover: true } });
			const { written, notices } = loadConfig({ variables: process.env, home, directory: realpathSync(directory) });
			const skills = (await new AgentSkillCatalog().all()).map(({ name }) => name);
			return { skills, network: resolveConfig(written).sandbox?.network, notices };
		});
	const NOTHING = { skills: [], network: undefined };
	const refusalOf = () => as(VICTIM, () => trustedProjects()[0]?.refusal);

	beforeEach(() => {
		here = placeForAll();
		home = at("vhome");
		project = at("work/shop");
		make(VICTIM, home);
		make(VICTIM, project);
		make(EVE, at("ehome"));
		vi.stubEnv("HOME", home);
		vi.stubEnv("XDG_CONFIG_HOME", "");
		vi.stubEnv("ROBOT_LAB_ENV", "development");
		reloadConfig();
	});
	afterEach(() => {
		vi.restoreAllMocks();
		vi.unstubAllEnvs();
		reloadConfig();
	});

	it("who owns a directory on the way puts another project there: it is refused, and what was recorded does not count any more", async () => {
		await as(VICTIM, () => skill(project, "own"));
		await as(VICTIM, () => trustProject(project));
		expect(await counting(project)).toMatchObject({ skills: ["own"], network: true });
		chownSync(at("work"), EVE, EVE);
		await as(EVE, () => {
			renameSync(project, at("work/old"));
			mkdirSync(project);
			skill(project, "y");
		});
		expect(await counting(project)).toMatchObject(NOTHING);
		expect(await refusalOf()).toContain(`"${at("work")}" belongs to another user (number ${EVE})`);
		for (const place of [project, at("work/old")]) await expect(as(VICTIM, () => trustProject(place))).rejects.toThrow("another user");
		await as(VICTIM, () => vi.stubEnv("ROBOT_LAB_TRUSTED_PROJECTS", project));
		expect(await counting(project)).toMatchObject(NOTHING);
	});

	it("who is in a group that may write on the way does", async () => {
		await as(VICTIM, () => trustProject(project));
		chownSync(at("work"), VICTIM, SHARED_GROUP);
		chmodSync(at("work"), 0o2775);
		await as(EVE, () => {
			renameSync(project, at("work/old"));
			mkdirSync(project);
			skill(project, "z");
		}, [EVE, SHARED_GROUP]);
		expect(await counting(project)).toMatchObject(NOTHING);
		chownSync(project, VICTIM, VICTIM);
		expect(await refusalOf()).toMatch(
			`the group ${SHARED_GROUP}, which others may be in, may write "${at("work")}". Take that right away (chmod g-w)`,
		);
		await expect(as(VICTIM, () => trustProject(at("work/old")), [VICTIM, SHARED_GROUP])).rejects.toThrow("chmod g-w");
	});

	it.each([
		["a directory for everybody", "tmp/shop", undefined],
		["their own", "ehome/shop", undefined],
		["a directory for everybody, to which a link of one's own leads", "vhome/shop", "tmp/shop"],
	])("who makes a link in %s does not say which of one's clones is trusted", async (_, name, through) => {
		make(0, at("tmp"));
		chmodSync(at("tmp"), 0o1777);
		const clone = at("vhome/clones/evil");
		make(VICTIM, clone);
		await as(VICTIM, () => skill(clone, "x"));
		put(VICTIM, join(home, ".config/robot_lab/config.yml"), `trusted_projects: [${at(name)}]\n`);
		if (through !== undefined) await as(VICTIM, () => symlinkSync(at(through), at(name)));
		await as(EVE, () => symlinkSync(clone, at(through ?? name)));
		expect(realpathSync(at(name))).toBe(clone);
		const { notices, ...counts } = await counting(clone);
		expect(counts).toEqual(NOTHING);
		expect(notices[0]).toContain("belongs to another user");
		expect(await refusalOf()).toContain("belongs to another user");
		// Whatever it is asked by.
		expect(await as(VICTIM, () => [isProjectTrusted(at(name)), isProjectTrusted(clone)])).toEqual([false, false]);
		await expect(as(VICTIM, () => trustProject(at(name)))).rejects.toThrow("belongs to another user");
		// The record is another word for the same directory.
		await as(VICTIM, () => trustProject(clone));
		expect(await counting(clone)).toMatchObject({ skills: ["x"], network: true });
	});

	it("control: links of one's own and of root's count, in a directory for everybody too", async () => {
		make(0, at("tmp"));
		chmodSync(at("tmp"), 0o1777);
		await as(VICTIM, () => skill(project, "own"));
		await as(VICTIM, () => symlinkSync(project, at("tmp/mine")));
		symlinkSync(at("tmp"), at("roots"));
		put(VICTIM, join(home, ".config/robot_lab/config.yml"), `trusted_projects: [${at("roots/mine")}]\n`);
		expect(await counting(project)).toMatchObject({ skills: ["own"], network: true, notices: [] });
	});

	it("control: so does what root owns, and what the user's own group may write, as many systems have it for each user", async () => {
		await as(VICTIM, () => skill(project, "own"));
		for (const place of [project, at("work")]) chmodSync(place, 0o775);
		await as(VICTIM, () => trustProject(project));
		expect(await counting(project)).toMatchObject({ skills: ["own"] });
		for (const place of [project, at("work")]) chownSync(place, 0, 0);
		expect(await counting(project)).toMatchObject({ skills: ["own"] });
	});

	it("a first group that users share, as some systems have it, is no group of one's own", async () => {
		chownSync(project, VICTIM, SHARED_GROUP);
		chmodSync(project, 0o775);
		await expect(as(VICTIM, () => trustProject(project), [SHARED_GROUP, VICTIM])).rejects.toThrow("chmod g-w");
		chownSync(project, VICTIM, VICTIM);
		await expect(as(VICTIM, () => trustProject(project), [SHARED_GROUP, VICTIM])).rejects.toThrow("chmod g-w");
		expect(await as(VICTIM, () => trustProject(project))).toBe(project);
	});

	it("root is held to the same: whoever owns a project would say what root runs", async () => {
		expect(() => trustProject(project)).toThrow(`"${at("work")}" belongs to another user (number ${VICTIM})`);
		for (const place of [project, at("work")]) chownSync(place, 0, 0);
		// Its home directory, where the record is, too.
		expect(() => trustProject(project)).toThrow(`"${home}" belongs to another user`);
		chownSync(home, 0, 0);
		expect(trustProject(project)).toBe(project);
		expect(isProjectTrusted(project)).toBe(true);
	});

	it.each<[string, string, () => void]>([
		["its configuration file", "the configuration", () => chownSync(join(project, "config/robot_lab.yml"), EVE, EVE)],
		["the directory of its skills", "the skills", () => chownSync(join(project, ".agents/skills"), EVE, EVE)],
	])("of a project that is trusted what another user owns does not count: %s", async (_, what, give) => {
		await as(VICTIM, () => skill(project, "own"));
		await as(VICTIM, () => trustProject(project));
		give();
		const { skills, network, notices } = await counting(project);
		const isConfiguration = what === "the configuration";
		expect([skills, network]).toEqual(isConfiguration ? [["own"], undefined] : [[], true]);
		expect(notices.join()).toEqual(isConfiguration ? expect.stringContaining('robot_lab.yml" belongs to another user') : "");
	});

	it.each<[string, string, (record: string) => void]>([
		["another user's", "belongs to another user", (record) => chownSync(record, EVE, EVE)],
		["for everybody", "chmod o-w", (record) => chmodSync(record, 0o777)],
		["for a group", "chmod g-w", (record) => chownSync(record, VICTIM, SHARED_GROUP)],
		["below a directory that is another user's", "belongs to another user", (record) => chownSync(dirname(record), EVE, EVE)],
	])(
		"a record whose directory is %s says nothing: entries could be taken away before they are revoked, and brought back",
		async (_, why, open) => {
			const record = join(home, ".config/robot_lab/trusted_projects");
			await as(VICTIM, () => trustProject(project));
			expect(await as(VICTIM, () => isProjectTrusted(project))).toBe(true);
			for (const directory of [record, dirname(record)]) chmodSync(directory, 0o775);
			expect(await as(VICTIM, () => isProjectTrusted(project))).toBe(true);
			open(record);
			expect(await as(VICTIM, () => isProjectTrusted(project))).toBe(false);
			expect(await refusalOf()).toContain(why);
			await expect(as(VICTIM, () => trustProject(project))).rejects.toThrow(why);
			expect(readdirSync(record)).toHaveLength(1);
		},
	);

	it("a project that was recorded can be revoked where another user's link is by now", async () => {
		await as(VICTIM, () => trustProject(project));
		chmodSync(at("work"), 0o777);
		await as(EVE, () => {
			renameSync(project, at("work/away"));
			symlinkSync(at("ehome"), project);
		});
		expect(await as(VICTIM, () => [revokeTrust(project), trustedProjects()])).toEqual([true, []]);
	});
});
