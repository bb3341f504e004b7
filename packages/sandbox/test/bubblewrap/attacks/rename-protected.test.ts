import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { configure } from "@robot-lab/core";
import { describe, expect, it } from "vitest";
import { noBubblewrap } from "../../support/no-bubblewrap.js";
import { put } from "../../support/workshop.js";
import { type Arena, arena } from "../arena.js";

function repository(): Arena {
	const host = arena();
	put(join(host.out, ".git", "hooks", "pre-commit.sample"), "sample\n");
	put(join(host.out, ".git", "config"), "[core]\n");
	put(join(host.out, ".git", "HEAD"), "ref: refs/heads/main\n");
	put(join(host.out, ".bashrc"), "# mine\n");
	put(join(host.out, ".vscode", "settings.json"), "{}\n");
	put(join(host.out, "config", "robot_lab.yml"), "model: offline\n");
	return host;
}

const PLANT = `
cd "$OUT" && cat .git/config
echo evil > .git/hooks/pre-commit && echo direct
echo evil >> .git/config && echo config
echo evil >> .bashrc && echo rc
mv .git/hooks .git/old && mkdir .git/hooks && echo evil > .git/hooks/pre-commit && echo renamed hooks
mv .git old && mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit && echo renamed git
rm -rf .vscode && echo removed
echo "mcp_servers: { x: { command: evil } }" > config/robot_lab.yml && echo project
mv config former && mkdir config && echo evil > config/robot_lab.yml && echo renamed config
mv "$OUT" "$OUT.old" && echo renamed all
true`;

describe.skipIf(noBubblewrap !== undefined)(`planting a file that the host runs later (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("fails by writing, by renaming the directory and by renaming the one around it, where it works without confinement", async () => {
		const control = repository();
		expect((await control.unconfined(PLANT)).output).toBe(
			"[core]\ndirect\nconfig\nrc\nrenamed hooks\nrenamed git\nremoved\nproject\nrenamed config\nrenamed all\n",
		);

		const host = repository();
		const { output } = await host.confined(PLANT);
		expect(output).toMatch(/^\[core\]\n/);
		expect(output).not.toMatch(/^(direct|config|rc|renamed.*|removed|project)$/m);
		expect(output).toContain(".git/hooks/pre-commit: Read-only file system");
		expect(output.match(/Device or resource busy/g)?.length).toBeGreaterThanOrEqual(2);
		expect(readdirSync(join(host.out, ".git", "hooks"))).toEqual(["pre-commit.sample"]);
		expect(readFileSync(join(host.out, ".git", "config"), "utf8")).toBe("[core]\n");
		expect(readFileSync(join(host.out, ".bashrc"), "utf8")).toBe("# mine\n");
		expect(readFileSync(join(host.out, ".vscode", "settings.json"), "utf8")).toBe("{}\n");
		expect(readFileSync(join(host.out, "config", "robot_lab.yml"), "utf8")).toBe("model: offline\n");
	});

	it("fails where .git is a file that says where the repository is, which is neither written nor replaced", async () => {
		const attack =
			'cd "$OUT"; echo "gitdir: evil" > .git && echo written; mv .git old && echo moved; rm -f .git && echo removed; mkdir -p .git/hooks && echo made; cat own';
		const prepare = (): Arena => {
			const host = arena();
			put(join(host.out, ".git"), "gitdir: /elsewhere\n");
			return host;
		};
		expect((await prepare().unconfined(attack)).output).toContain("written\nmoved\nremoved\nmade\n");
		const host = prepare();
		const { output } = await host.confined(attack);
		expect(output).not.toMatch(/^(written|moved|removed|made)$/m);
		expect(output).toMatch(/\.git: Read-only file system/);
		expect(output).toMatch(/mine\n$/);
		expect(readFileSync(join(host.out, ".git"), "utf8")).toBe("gitdir: /elsewhere\n");
		// Control: it is the protection that holds it.
		const open = prepare();
		configure({ sandbox: { protect: false } });
		expect((await open.confined(attack)).output).toContain("written\nmoved\nremoved\nmade\n");
	});

	it("control: the rest of the repository can be written", async () => {
		const host = repository();
		const { output } = await host.confined(
			'cd "$OUT" && echo x > .git/HEAD && echo z > config/other.yml && mkdir .git/objects && echo y > file && echo done',
		);
		expect(output).toBe("done\n");
		expect(readFileSync(join(host.out, ".git", "HEAD"), "utf8")).toBe("x\n");
	});

	it("cannot be kept from making a protected name that does not exist, and says which were made", async () => {
		const { confined, out } = arena();
		const made = await confined(
			'echo evil > "$OUT/.envrc"; mkdir -p "$OUT/.git/hooks" "$OUT/config"; echo x > "$OUT/config/robot_lab.yml"; ln -s nowhere "$OUT/.vscode"; exit 3',
		);
		expect(made.note).toMatch(/^Made during this run/);
		for (const name of [".envrc", ".git/hooks", ".vscode", "config/robot_lab.yml"])
			expect(made.note).toContain(JSON.stringify(join(out, name)));
		// Controls: nothing is said of what was there before, of other names, and where nothing is to be protected.
		put(join(out, ".bashrc"), "# mine\n");
		expect((await confined('echo x > "$OUT/.other"; cat "$OUT/.envrc"')).note).toBeUndefined();
		configure({ sandbox: { protect: false } });
		expect((await confined('echo x > "$OUT/.profile"')).note).toBeUndefined();
	});

	it("leaves no empty files on the host where a protected one does not exist", async () => {
		const { confined, out } = arena();
		expect((await confined("true")).exitCode).toBe(0);
		expect(readdirSync(out)).toEqual(["own"]);
	});

	it("fails in the skill's own directory when that lies in what may be written, unless the grant names it", async () => {
		const host = arena();
		const script = 'echo evil > "$SKILL_DIR/scripts/other" && echo planted; mv "$SKILL_DIR" "$SKILL_DIR.old" && echo renamed; true';
		const { output } = await host.confined(script, { grant: { fsWrite: [host.directory] } });
		expect(output).toContain("Read-only file system");
		expect(output).toContain("Device or resource busy");
		expect(existsSync(join(host.skillDir, "scripts", "other"))).toBe(false);
		const named = await host.confined(script, { grant: { fsWrite: [host.skillDir] } });
		expect(named.output).toMatch(/^planted\n/);
	});

	it("is the host's to allow: sandbox.protect false", async () => {
		const host = repository();
		const { confined, out } = host;
		configure({ sandbox: { protect: false } });
		const { output } = await confined('echo hook > "$OUT/.git/hooks/pre-commit" && echo direct');
		expect(output).toBe("direct\n");
		expect(existsSync(join(out, ".git", "hooks", "pre-commit"))).toBe(true);
	});
});
