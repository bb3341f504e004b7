import { chmodSync, chownSync, lchownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import { as, EVE, noTwoUsers, placeForAll, SHARED_GROUP, VICTIM } from "../two-users.js";

const CORE = "---\nname: house\ndescription: Ours.\ntrust: core\n---\n";

describe.skipIf(noTwoUsers !== undefined)(
	`another user and bundles that claim trust: core (${noTwoUsers ?? "root may act as both"})`,
	() => {
		let here: string;
		const at = (...names: string[]): string => join(here, ...names);
		const bundle = (path: string): void => {
			for (const name of ["scripts/lib", "shared"]) mkdirSync(join(path, name), { recursive: true });
			writeFileSync(join(path, "SKILL.md"), CORE);
			for (const name of ["scripts/go.sh", "scripts/lib/common.sh", "shared/more.sh"]) writeFileSync(join(path, name), "echo ours");
		};
		const judged = (path: string) =>
			as(VICTIM, async () => {
				const skill = await AgentSkill.load(join(path, "SKILL.md"));
				const refusal = (await skill.diagnostics()).find(({ code }) => code === "trust_not_granted")?.message;
				return { trust: skill.capabilities.trust, refusal };
			});
		const core = { trust: "core", refusal: undefined };

		beforeEach(() => {
			here = placeForAll();
			bundle(at("srv/skills/house"));
			mkdirSync(at("tmp"));
			chmodSync(at("tmp"), 0o1777);
			mkdirSync(at("vhome"));
			chownSync(at("vhome"), VICTIM, VICTIM);
			configure({ sandbox: { trustCore: [at("srv/skills")] } });
		});
		afterEach(() => {
			reloadConfig();
		});

		const PLACES = [
			"srv",
			"srv/skills",
			...["", "/SKILL.md", "/scripts", "/scripts/go.sh", "/scripts/lib/common.sh", "/shared/more.sh"].map(
				(name) => `srv/skills/house${name}`,
			),
		];

		it.each(PLACES)("none is core while another user owns %s", async (name) => {
			expect(await judged(at("srv/skills/house"))).toEqual(core);
			chownSync(at(name), EVE, EVE);
			const { trust, refusal } = await judged(at("srv/skills/house"));
			expect([trust, refusal]).toEqual(["external", expect.stringContaining(`"${at(name)}" belongs to another user (number ${EVE})`)]);
			chownSync(at(name), VICTIM, VICTIM);
			expect(await judged(at("srv/skills/house"))).toEqual(core);
		});

		it.each(PLACES)("none is core while a group may write %s, unless it is the user's own or root's", async (name) => {
			chmodSync(at(name), 0o775);
			expect(await judged(at("srv/skills/house"))).toEqual(core);
			chownSync(at(name), VICTIM, VICTIM);
			expect(await judged(at("srv/skills/house"))).toEqual(core);
			chownSync(at(name), VICTIM, SHARED_GROUP);
			const { trust, refusal } = await judged(at("srv/skills/house"));
			expect([trust, refusal]).toEqual(["external", expect.stringContaining(`may write "${at(name)}". Take that right away (chmod g-w)`)]);
		});

		it("one that another user puts in the place of a core one is not", async () => {
			chownSync(at("srv/skills"), EVE, EVE);
			await as(EVE, () => {
				mkdirSync(at("srv/skills/new"));
				renameSync(at("srv/skills/house"), at("srv/skills/old"));
				renameSync(at("srv/skills/new"), at("srv/skills/house"));
				bundle(at("srv/skills/house"));
			});
			expect((await judged(at("srv/skills/house"))).trust).toBe("external");
		});

		it("a link of another user's in the host's list does not say which bundles are core; one of the user's own and of root's does", async () => {
			const clones = at("vhome/clones");
			await as(VICTIM, () => bundle(join(clones, "house")));
			configure({ sandbox: { trustCore: [at("tmp/theirs"), at("tmp/through")] } });
			await as(EVE, () => symlinkSync(clones, at("tmp/theirs")));
			await as(VICTIM, () => symlinkSync("theirs", at("tmp/through")));
			const { trust, refusal } = await judged(join(clones, "house"));
			expect([trust, refusal]).toEqual(["external", expect.stringContaining(`"${at("tmp/theirs")}" belongs to another user`)]);
			await as(VICTIM, () => symlinkSync(clones, at("tmp/mine")));
			symlinkSync(clones, at("tmp/roots"));
			for (const own of ["tmp/mine", "tmp/roots"]) {
				// The one that does not count beside it takes nothing away.
				configure({ sandbox: { trustCore: [at("tmp/theirs"), at(own)] } });
				expect(await judged(join(clones, "house"))).toEqual(core);
			}
		});

		it("a script that is reached through another user's link makes the bundle external, and so does a link that is theirs", async () => {
			writeFileSync(at("srv/tool.sh"), "echo ours");
			const link = at("srv/skills/house/scripts/tool.sh");
			symlinkSync(at("srv/tool.sh"), link);
			expect(await judged(at("srv/skills/house"))).toEqual(core);
			lchownSync(link, EVE, EVE);
			expect((await judged(at("srv/skills/house"))).trust).toBe("external");
			lchownSync(link, 0, 0);
			await as(EVE, () => symlinkSync(at("srv/tool.sh"), at("tmp/tool.sh")));
			renameSync(link, at("srv/unused"));
			symlinkSync(at("tmp/tool.sh"), link);
			expect((await judged(at("srv/skills/house"))).refusal).toContain(`"${at("tmp/tool.sh")}" belongs to another user`);
		});

		it("scripts/ may be a link, and what lies there then is looked at, too", async () => {
			renameSync(at("srv/skills/house/scripts"), at("srv/scripts"));
			symlinkSync(at("srv/scripts"), at("srv/skills/house/scripts"));
			expect(await judged(at("srv/skills/house"))).toEqual(core);
			chownSync(at("srv/scripts/lib/common.sh"), EVE, EVE);
			expect((await judged(at("srv/skills/house"))).trust).toBe("external");
		});

		it("root is held to the same: what an ordinary user owns is not core to root", async () => {
			const trustOf = async () => (await AgentSkill.load(at("srv/skills/house/SKILL.md"))).capabilities.trust;
			expect(await trustOf()).toBe("core");
			chownSync(at("srv/skills/house/scripts/go.sh"), VICTIM, VICTIM);
			expect(await trustOf()).toBe("external");
		});
	},
);
