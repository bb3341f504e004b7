import { execFileSync } from "node:child_process";
import {
	chmodSync,
	chownSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { reloadConfig } from "../../src/config/configure.js";
import { isProjectTrusted, revokeTrust, trustedProjects, trustProject } from "../../src/config/trusted-projects.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { Places } from "./places.js";

const isRoot = process.getuid?.() === 0;

describe("a project that the user trusts", () => {
	let places: Places;
	let record: string;
	/** The one entry of the record. */
	const entry = (): string => join(record, readdirSync(record)[0] ?? "none");

	beforeEach(() => {
		places = new Places();
		record = join(places.home, ".config/robot_lab/trusted_projects");
		vi.stubEnv("HOME", places.home);
		vi.stubEnv("XDG_CONFIG_HOME", "");
		vi.stubEnv("ROBOT_LAB_ENV", "development");
		reloadConfig();
	});
	afterEach(() => {
		vi.unstubAllEnvs();
		reloadConfig();
	});

	it("is recorded in the user's own directory, for nobody else to read, and nothing is written into the project", () => {
		expect(isProjectTrusted(places.project)).toBe(false);
		expect(trustProject(places.project)).toBe(places.project);
		expect(isProjectTrusted(places.project)).toBe(true);
		expect([statSync(record).mode & 0o777, statSync(entry()).mode & 0o777]).toEqual([0o700, 0o600]);
		expect(readdirSync(record)).toHaveLength(1);
		expect(readdirSync(places.project)).toEqual(["config"]);
		expect(trustedProjects()).toEqual([{ path: places.project }]);
	});

	it("counts once, however often and by whichever way it is named", () => {
		symlinkSync(places.project, join(places.home, "link"));
		for (const name of [join(places.home, "link"), `${places.project}/../cloned/`, "~/work/cloned"]) trustProject(name);
		expect(trustedProjects()).toEqual([{ path: places.project }]);
	});

	it("has a configuration file all of which counts, as where the setting names it: the two are one answer", () => {
		places.write(places.projectFile, "sandbox: { network: true }");
		const loaded = () => places.load({ ROBOT_LAB_ENV: "development" });
		expect(loaded().written).toEqual({});
		expect(loaded().notices[0]).toContain('"robot-lab trust"');
		trustProject(places.project);
		expect(loaded().written).toEqual({ sandbox: { network: true } });
		expect(loaded().files.at(-1)).toMatchObject({ trusted: true });
		expect(revokeTrust(places.project)).toBe(true);
		expect(loaded().written).toEqual({});
	});

	it("is not trusted any more once that is revoked, also where it is gone", () => {
		const gone = join(places.home, "gone");
		mkdirSync(gone);
		for (const project of [places.project, gone]) trustProject(project);
		rmSync(gone, { recursive: true });
		expect(trustedProjects().find(({ path }) => path === gone)?.refusal).toMatch(/no directory/);
		expect([revokeTrust(places.project), revokeTrust(gone), revokeTrust(gone)]).toEqual([true, true, false]);
		expect([isProjectTrusted(places.project), trustedProjects()]).toEqual([false, []]);
	});

	it("can be revoked by its path when a link lies there by now, and where the link leads is not trusted any more either", () => {
		const [other, gone] = [join(places.home, "other"), join(places.home, "gone")];
		for (const directory of [other, gone]) mkdirSync(directory);
		for (const project of [places.project, gone]) trustProject(project);
		renameSync(places.project, `${places.project}2`);
		symlinkSync(other, places.project);
		expect([revokeTrust(`${places.project}/`), trustedProjects().map(({ path }) => path)]).toEqual([true, [gone]]);
		trustProject(other);
		expect([revokeTrust(places.project), revokeTrust(places.project)]).toEqual([true, false]);
		// By the way there that was taken, too, and where nobody can tell any more where it leads.
		rmSync(gone, { recursive: true });
		symlinkSync("gone", gone);
		symlinkSync(places.home, join(places.home, "work/home"));
		expect([revokeTrust(join(places.home, "work/home/gone")), trustedProjects()]).toEqual([true, []]);
	});

	it("does not pass its trust on: not to what is cloned into it, not to what it lies in, not to a neighbour of a like name", () => {
		trustProject(places.project);
		for (const name of ["config", "..", "vendor", "../cloned2"]) {
			mkdirSync(join(places.project, name), { recursive: true });
			expect(isProjectTrusted(join(places.project, name))).toBe(false);
		}
	});

	it("is shown with where it is named, and the setting survives a revocation", () => {
		places.write(places.userFile, `trusted_projects: ["~/work/cloned"]`);
		reloadConfig();
		expect(trustedProjects()).toEqual([{ path: "~/work/cloned", origin: { layer: "user", path: places.userFile, line: 1 } }]);
		expect([revokeTrust(places.project), isProjectTrusted(places.project)]).toEqual([false, true]);
	});

	it("is not read of in the environment test, where nothing of the home directory is", () => {
		trustProject(places.project);
		vi.stubEnv("ROBOT_LAB_ENV", "test");
		reloadConfig();
		expect([isProjectTrusted(places.project), trustedProjects()]).toEqual([false, []]);
	});

	it("loses nothing where several processes record at the same time", async () => {
		const names = Array.from({ length: 20 }, (_, index) => join(places.home, `p${index}`));
		for (const name of names) mkdirSync(name);
		await Promise.all(names.map(async (name) => trustProject(name)));
		expect(trustedProjects().map(({ path }) => path)).toEqual(names.toSorted());
	});

	describe("and what a stranger may try", () => {
		// Each leaves a record that would be one, had the user written it.
		const FORGERIES: readonly (readonly [string, () => void])[] = [
			["writes into the entry, which others may", () => chmodSync(entry(), 0o666)],
			["lets its group write it", () => chmodSync(entry(), 0o660)],
			[
				"makes it a link to a file of the project's",
				() => {
					renameSync(entry(), join(places.project, "entry"));
					symlinkSync(join(places.project, "entry"), join(record, nameOf(places.project)));
				},
			],
			["names another project in it", () => writeFileSync(entry(), JSON.stringify({ project: places.home }))],
			["writes what is no JSON", () => writeFileSync(entry(), "\0")],
			["writes JSON without a path", () => writeFileSync(entry(), "null")],
			["writes very much", () => writeFileSync(entry(), " ".repeat(70_000))],
			[
				"makes it a FIFO, which would be waited for",
				() => {
					rmSync(join(record, nameOf(places.project)));
					execFileSync("mkfifo", [join(record, nameOf(places.project))]);
				},
			],
			[
				"makes it a directory",
				() => {
					rmSync(join(record, nameOf(places.project)));
					mkdirSync(join(record, nameOf(places.project)));
				},
			],
		];
		let name = "";
		const nameOf = (_: string): string => name;

		it.each(FORGERIES)("is not trusted where somebody %s", (_, forge) => {
			trustProject(places.project);
			name = readdirSync(record)[0] ?? "";
			expect(isProjectTrusted(places.project)).toBe(true);
			forge();
			expect(isProjectTrusted(places.project)).toBe(false);
			expect(trustedProjects()[0]?.refusal).toMatch(/\. Remove it and trust the project again$/);
			expect(places.load({ ROBOT_LAB_ENV: "development" }).notices[0]).toContain("is not trusted, because");
		});

		it.runIf(isRoot)("is not trusted where the entry is another user's (only root may give files away)", () => {
			trustProject(places.project);
			chownSync(entry(), 65534, 65534);
			expect(isProjectTrusted(places.project)).toBe(false);
		});

		it("is written in the place of a link, never through it", () => {
			trustProject(places.project);
			const file = entry();
			const precious = places.write(join(places.project, "precious"), "precious");
			rmSync(file);
			symlinkSync(precious, file);
			trustProject(places.project);
			expect([readFileSync(precious, "utf8"), isProjectTrusted(places.project)]).toEqual(["precious", true]);
		});

		it("is trusted by nothing that lies in it: not the home directory, and not one that variables lead to", () => {
			expect(() => trustProject(places.home)).toThrow(/lies in .* itself/);
			trustProject(places.project);
			const planted = join(places.project, "xdg/robot_lab/trusted_projects");
			mkdirSync(join(planted, ".."), { recursive: true });
			renameSync(record, planted);
			vi.stubEnv("XDG_CONFIG_HOME", join(places.project, "xdg"));
			reloadConfig();
			expect(isProjectTrusted(places.project)).toBe(false);
		});

		it("is refused where everybody may write, and a directory above it, too: anybody could put another there", () => {
			trustProject(places.project);
			chmodSync(join(places.home, "work"), 0o777);
			expect(isProjectTrusted(places.project)).toBe(false);
			expect(() => trustProject(places.project)).toThrow(/every user may write .*work". Take that right away \(chmod o-w\)/);
			chmodSync(join(places.home, "work"), 0o1777);
			expect(isProjectTrusted(places.project)).toBe(true);
			chmodSync(places.project, 0o1777);
			expect(isProjectTrusted(places.project)).toBe(false);
		});

		it.runIf(isRoot)(
			"is refused where somebody else made it anew in a directory for everybody, by the setting too (only root may give files away)",
			() => {
				places.write(places.userFile, `trusted_projects: ["~/work/cloned"]`);
				chmodSync(join(places.home, "work"), 0o1777);
				reloadConfig();
				expect(isProjectTrusted(places.project)).toBe(true);
				chownSync(places.project, 65534, 65534);
				expect(isProjectTrusted(places.project)).toBe(false);
				expect(trustedProjects()[0]?.refusal).toContain("belongs to another user");
				expect(() => trustProject(places.project)).toThrow("belongs to another user");
			},
		);
	});

	it.each([join("/", "nonexistent", "x"), "", "a\0b", undefined, 3, "~/work/cloned/config/robot_lab.yml"])("cannot be %j", (directory) => {
		places.write(places.projectFile, "");
		expect(() => trustProject(directory as never)).toThrow(ConfigurationError);
		expect(() => readdirSync(record)).toThrow();
	});

	it("cannot be recorded where nothing can be written, and the error says where", () => {
		places.write(record, "a file");
		expect(() => trustProject(places.project)).toThrow(`${record} cannot be written`);
	});
});
