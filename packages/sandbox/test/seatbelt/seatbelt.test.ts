import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Capabilities, type Config } from "@robot-lab/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { evaluateProfile } from "../../src/sbpl/index.js";
import { Seatbelt } from "../../src/seatbelt/seatbelt.js";
import { chooseStrategy } from "../../src/strategy/choose.js";
import { moveTemporaryDirectory, put, workshop } from "../support/workshop.js";
import { facts, PROJECT, profileOf, SKILL } from "./pretend-mac.js";

describe("Seatbelt", () => {
	const grant = new Capabilities({ fsRead: [`${PROJECT}/data`] });
	const make = (): Seatbelt => {
		const seatbelt = new Seatbelt(grant, { skillDir: SKILL, hostFacts: facts() });
		onTestFinished(() => seatbelt.cleanup());
		return seatbelt;
	};

	it("has a profile that depends on its arguments and the host facts alone", () => {
		expect(make().profile).toBe(make().profile);
		expect(make().profile).toContain(`(allow file-read* (subpath "${PROJECT}/data"))`);
	});

	it("wraps a command as /usr/bin/sandbox-exec -f <profile> <command>, the command untouched", async () => {
		const command = ["bash", "/s/run it.sh", '$(x) "y"', "", "-f"];
		const [program, flag, file = "", ...rest] = await make().wrap(command);
		expect([program, flag, rest]).toEqual(["/usr/bin/sandbox-exec", "-f", command]);
		expect(file).toMatch(/^\//);
	});

	it("writes exactly its profile, into a file of mode 0600 in a directory of mode 0700", async () => {
		const seatbelt = make();
		const [, , file = ""] = await seatbelt.wrap(["true"]);
		expect(readFileSync(file, "utf8")).toBe(seatbelt.profile);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
	});

	it("names the directory so that nobody guesses it, and so that the profile hides it", async () => {
		const [a, b] = [make(), make()];
		const [[, , first = ""], [, , second = ""]] = [await a.wrap(["true"]), await b.wrap(["true"])];
		expect(dirname(first)).not.toBe(dirname(second));
		expect(basename(dirname(first))).toMatch(/^robot-lab-seatbelt-[A-Za-z0-9]{6,}$/);
		const here = new Seatbelt(new Capabilities({ fsRead: ["/"] }), {
			skillDir: SKILL,
			hostFacts: facts({ temporaryDirectory: dirname(dirname(first)) }),
		});
		const asMacSpellsIt = first.replace(/^\/tmp\//, "/private/tmp/");
		expect(evaluateProfile(here.profile)("file-read-data", { path: asMacSpellsIt, vnodeType: "REGULAR-FILE" }).allowed).toBe(false);
	});

	it("cleans up more than once, before wrap() and after it, and never throws", async () => {
		const seatbelt = make();
		await seatbelt.cleanup();
		const [, , file = ""] = await seatbelt.wrap(["true"]);
		await seatbelt.cleanup();
		await seatbelt.cleanup();
		expect(existsSync(dirname(file))).toBe(false);
	});

	it("may be wrapped again after cleanup(), into a file of its own that is removed as well", async () => {
		const seatbelt = make();
		const [, , one = ""] = await seatbelt.wrap(["a"]);
		await seatbelt.cleanup();
		const [, , two = ""] = await seatbelt.wrap(["b"]);
		expect(two).not.toBe(one);
		expect([one, two].map((file) => existsSync(file))).toEqual([false, true]);
		await seatbelt.cleanup();
		expect(existsSync(dirname(two))).toBe(false);
	});

	it("rejects with profile_not_written when there is no temporary directory", async () => {
		const seatbelt = make();
		const { restore } = moveTemporaryDirectory(join(workshop(), "missing"));
		onTestFinished(restore);
		await expect(seatbelt.wrap(["true"])).rejects.toMatchObject({ name: "SandboxUnavailableError", code: "profile_not_written" });
	});

	it("rejects with invalid_grant for a grant that cannot be expressed, and writes nothing", async () => {
		const seatbelt = new Seatbelt(new Capabilities({ fsWrite: ["/"] }), { skillDir: SKILL, hostFacts: facts() });
		await expect(seatbelt.wrap(["true"])).rejects.toMatchObject({ code: "invalid_grant" });
	});

	it("touches nothing when it is made, and looks at the host when the profile is asked for", () => {
		const directory = workshop();
		const seatbelt = new Seatbelt(new Capabilities({ fsRead: [join(directory, "later")] }), { skillDir: join(directory, "skill") });
		put(join(directory, "target", "x"), "");
		spawnSync("ln", ["-s", "target", join(directory, "later")]);
		expect(seatbelt.profile).toMatch(/\(subpath "[^"]*\/target"\)/);
		expect(seatbelt.profile).toMatch(/\(literal "[^"]*\/later"\)/);
		expect(seatbelt.profile).not.toMatch(/\(subpath "[^"]*\/later"\)/);
	});

	it("leaves no profile behind when the process exits in the middle", () => {
		const module = fileURLToPath(new URL("../../dist/index.js", import.meta.url));
		const core = fileURLToPath(new URL("../../../core/dist/index.js", import.meta.url));
		const main = put(
			join(workshop(), "main.mjs"),
			`import { Capabilities } from ${JSON.stringify(core)}; import { Seatbelt } from ${JSON.stringify(module)};
const [, , file] = await new Seatbelt(new Capabilities(), { skillDir: "/s" }).wrap(["true"]);
console.log(file); process.exit(3);`,
		);
		const { stdout, status } = spawnSync(process.execPath, [main], { encoding: "utf8" });
		expect(status).toBe(3);
		expect(stdout.trim()).toMatch(/robot-lab-seatbelt-/);
		expect(existsSync(dirname(stdout.trim()))).toBe(false);
		expect(existsSync(tmpdir())).toBe(true);
	});

	describe("where a directory may be written", () => {
		const decide = (profile: string, operation: string, path: string): boolean =>
			evaluateProfile(profile)(operation, { path: path.replace(/^\/tmp\//, "/private/tmp/"), vnodeType: "REGULAR-FILE" }).allowed;
		function repository(): string {
			const directory = workshop();
			put(join(directory, "dotfiles", "vscode", "tasks.json"), "{}");
			symlinkSync("dotfiles/vscode", join(directory, ".vscode"));
			symlinkSync("later", join(directory, ".husky"));
			put(join(directory, "notes.md"), "");
			return directory;
		}
		const made = (directory: string, options: object = {}): string =>
			new Seatbelt(new Capabilities({ fsWrite: [directory, join(directory, "notes.md"), join(directory, "new")] }), {
				skillDir: SKILL,
				...options,
			}).profile;

		it("protects names, and what links in their place lead to, there or not", () => {
			const directory = repository();
			for (const name of [".git/hooks/x", ".vscode", "dotfiles/vscode/tasks.json", "later/pre-commit"]) {
				expect(decide(made(directory), "file-write-create", join(directory, name)), name).toBe(false);
				expect(decide(made(directory, { protect: false }), "file-write-create", join(directory, name)), name).toBe(true);
			}
			expect(decide(made(directory), "file-write-create", join(directory, "dotfiles/other"))).toBe(true);
		});

		it("keeps the directory where it is, and lets files be replaced and what is not there be made", () => {
			const directory = repository();
			expect(decide(made(directory), "file-write-unlink", directory)).toBe(false);
			for (const name of ["notes.md", "new"]) {
				expect(decide(made(directory), "file-write-unlink", join(directory, name)), name).toBe(true);
				expect(decide(made(directory), "file-write-create", join(directory, name)), name).toBe(true);
			}
		});

		it.each([true, false])("protects as sandbox.protect says: %s", (protect) => {
			const directory = repository();
			const config = { sandbox: { enabled: true, protect } } as Config;
			const grant = new Capabilities({ fsWrite: [directory] });
			const { profile } = chooseStrategy(grant, { skillDir: SKILL, platform: "darwin", config }) as Seatbelt;
			expect(decide(profile, "file-write-create", join(directory, ".zshrc"))).toBe(!protect);
		});
	});

	it("gives the profile of seatbeltProfile()", () => {
		expect(make().profile).toBe(profileOf({ read: [`${PROJECT}/data`], scratchDir: null }));
	});
});
