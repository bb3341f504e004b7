import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Capabilities } from "../../src/capability/capabilities.js";
import { realPath } from "../../src/paths/real-path.js";

const root = realpathSync.native(mkdtempSync(join(tmpdir(), "robot-lab-grant-")));
const at = (...names: string[]): string => join(root, ...names);
const work = at("work");
const home = process.cwd();

beforeAll(() => {
	mkdirSync(at("work", "data", "deep"), { recursive: true });
	mkdirSync(at("work-other"));
	mkdirSync(at("secret", "inner"), { recursive: true });
	writeFileSync(at("secret", "key"), "the key");
	symlinkSync("/etc", at("work", "to-etc"));
	symlinkSync(at("secret"), at("work", "to-secret"));
	symlinkSync(at("secret", "inner"), at("work", "to-inner"));
	symlinkSync(at("secret", "not-yet"), at("work", "dangling"));
	symlinkSync(at("work", "data"), at("work", "to-data"));
	symlinkSync("loop", at("work", "loop"));
	symlinkSync(work, at("alias"));
	process.chdir(work);
});
afterEach(() => process.chdir(work));
afterAll(() => {
	process.chdir(home);
	rmSync(root, { recursive: true, force: true });
});

const granted = (asked: string, ...roots: string[]): readonly string[] =>
	new Capabilities({ fsRead: [asked] }).intersect(new Capabilities({ fsRead: roots })).fsRead;
const reason = (asked: string, ...roots: string[]): string | undefined =>
	new Capabilities({ fsWrite: [asked] }).intersect(new Capabilities({ fsWrite: roots })).refused[0]?.reason;

describe("intersect() on links", () => {
	it("does not let a link inside a root widen the grant", () => {
		expect(readFileSync(at("work", "to-secret", "key"), "utf8")).toBe("the key"); // the attack works on spelling alone
		expect(granted("./to-secret", ".")).toEqual([]);
		expect(granted("to-secret/key", ".")).toEqual([]);
		expect(granted("./to-etc", ".")).toEqual([]);
		expect(granted("to-etc/passwd", work)).toEqual([]);
		expect(reason("to-secret", ".")).toBe(`it leads to "${at("secret")}", which is not below "${work}"`);
	});

	it("does not let a dangling link widen the grant, since writing through it creates its target", () => {
		expect(granted("dangling", ".")).toEqual([]);
		expect(granted("dangling/below", ".")).toEqual([]);
		writeFileSync(at("work", "dangling"), "written"); // the attack the refusal prevents
		expect(readFileSync(at("secret", "not-yet"), "utf8")).toBe("written");
		rmSync(at("secret", "not-yet"));
	});

	it("follows .. behind a link as the kernel does", () => {
		expect(readFileSync(`${work}/to-inner/../key`, "utf8")).toBe("the key"); // by spelling this lies in work
		expect(granted("to-inner/../key", ".")).toEqual([]);
		expect(granted("to-inner/..", ".")).toEqual([]);
	});

	it("refuses a path that leads nowhere: a loop, a .. below something missing, a name that is too long", () => {
		expect(reason("loop", ".")).toBe("nobody can tell where it leads (ELOOP)");
		expect(reason("missing/../data", ".")).toBe("nobody can tell where it leads (ENOENT)");
		expect(reason("x".repeat(300), ".")).toBe("nobody can tell where it leads (ENAMETOOLONG)");
	});

	it("grants a link that stays inside as the place it leads to", () => {
		expect(granted("to-data/deep", ".")).toEqual([at("work", "data", "deep")]);
	});

	it("sees one place behind two spellings, on either side", () => {
		expect(granted("data", at("alias"))).toEqual([at("work", "data")]);
		expect(granted(at("alias", "data"), work)).toEqual([at("work", "data")]);
	});
});

describe("intersect() on spellings", () => {
	it.each([
		["a root itself", ".", ["."], [""]],
		["a path below", "./data", ["."], ["data"]],
		["what does not exist yet", "new/dir", ["."], ["new/dir"]],
		["trailing slashes", "data///", ["./"], ["data"]],
		["dots", "./data/./deep/..", ["."], ["data"]],
		["any path below /", "data", ["/"], ["data"]],
		["a path below the second root", "data", ["/nowhere", "."], ["data"]],
	])("grants %s", (_, asked, roots, expected) => {
		expect(granted(asked, ...roots)).toEqual(expected.map((path) => join(work, path)));
	});

	it("refuses a path that only shares a prefix with a root", () => {
		expect(granted(at("work-other"), work)).toEqual([]);
		expect(granted(`${work}x`, work)).toEqual([]);
	});

	it("refuses a path that contains a root, and says which root to ask for", () => {
		expect(granted("..", ".")).toEqual([]);
		expect(granted("/", ".")).toEqual([]);
		expect(reason(root, work, at("secret"))).toBe(`it contains what may be granted; ask for "${work}" or "${at("secret")}" itself`);
		expect(reason("..", ".")).toBe(`it leads to "${root}", which contains what may be granted; ask for "${work}" itself`);
	});

	it("refuses everything below a ceiling without paths", () => {
		expect(granted("data")).toEqual([]);
		expect(reason("data")).toBe("nothing may be granted here");
	});

	it("reads ~ as the host's home directory, and looks up nobody else's", () => {
		expect(granted("~", "~")).toEqual([realpathSync.native(homedir())]);
		expect(granted("~/.ssh", ".")).toEqual([]);
		expect(reason("~root/x", "/")).toMatch(/another user/);
		expect(granted("data", "~root")).toEqual([]);
	});

	it.each([
		["NUL", "data\0/../../secret"],
		["a newline", "data\n(allow default)"],
		["DEL", "data\u007f"],
		["more than 1,000 bytes", `data/${"x/".repeat(500)}`],
		["more than 1,000 bytes in fewer characters", `data/${"é/".repeat(340)}`],
		["a lone surrogate", "data\ud800"],
	])("refuses a path with %s", (_, asked) => {
		expect(granted(asked, "/")).toEqual([]);
		expect(reason(asked, "/")).toMatch(/control character|longer than 1000 bytes|not Unicode/);
	});

	it("refuses a harmless name that leads to one that cannot be granted", () => {
		mkdirSync(at("work", "new\nline"));
		symlinkSync("new\nline", at("work", "innocent"));
		expect(reason("innocent", ".")).toBe("it leads to a place that cannot be granted: it contains a control character");
	});

	it("grants a path with quotes, parentheses and spaces as it is", () => {
		const odd = `a "b" 'c' (d) \\ ; $(e)`;
		expect(granted(odd, ".")).toEqual([join(work, odd)]);
	});

	it("grants each place once", () => {
		expect(new Capabilities({ fsRead: ["data", "./data/", "to-data"] }).intersect(new Capabilities({ fsRead: ["."] })).fsRead).toEqual([
			at("work", "data"),
		]);
	});

	it("reads relative paths from where the host process is when it is asked", () => {
		process.chdir(root);
		expect(granted("data", ".")).toEqual([at("data")]);
	});
});

describe("intersect() on the other fields", () => {
	const both = new Capabilities({ network: true, timeout: 30, limits: { memoryMb: 100, processes: 5 } });

	it("grants the network only when both sides have it, and keeps the refusal", () => {
		expect(both.intersect(both).network).toBe(true);
		expect(new Capabilities().intersect(both).network).toBe(false);
		expect(new Capabilities().intersect(both).refused).toEqual([]);
		const refused = both.intersect(new Capabilities());
		expect(refused.network).toBe(false);
		expect(refused.refused).toEqual([{ field: "network", path: "", reason: "the ceiling has no network" }]);
	});

	it("takes the smaller timeout and the smaller of each limit", () => {
		expect(both.intersect(new Capabilities({ timeout: 5 })).timeout).toBe(5);
		expect(both.intersect(new Capabilities({ timeout: 500 })).timeout).toBe(30);
		expect(both.intersect(new Capabilities({ limits: { memoryMb: 50, cpuSeconds: 3 } })).limits).toEqual({
			memoryMb: 50,
			processes: 5,
			cpuSeconds: 3,
		});
	});

	it("keeps this one's trust, whatever the ceiling's", () => {
		const core = new Capabilities({ trust: "core" });
		expect(core.intersect(new Capabilities()).trust).toBe("core");
		expect(new Capabilities().intersect(core).trust).toBe("external");
	});

	it("does not make readable what is only writable, nor the other way round", () => {
		const grant = new Capabilities({ fsRead: ["data"], fsWrite: ["new"] }).intersect(new Capabilities({ fsRead: ["."], fsWrite: ["."] }));
		expect([grant.fsRead, grant.fsWrite]).toEqual([[at("work", "data")], [at("work", "new")]]);
		expect(new Capabilities({ fsWrite: ["data"] }).intersect(new Capabilities({ fsRead: ["."] })).fsWrite).toEqual([]);
	});

	it("keeps what was refused, by field and spelling, and what was malformed", () => {
		const grant = new Capabilities({ fsRead: ["/etc", "data", 5 as never], fsWrite: ["~/x"] }).intersect(
			new Capabilities({ fsRead: ["."] }),
		);
		expect(grant.refused.map(({ field, path }) => [field, path])).toEqual([
			["fsRead", "/etc"],
			["fsWrite", "~/x"],
		]);
		expect(grant.diagnostics).toEqual(["fs_read: entry 3 is 5, not a path; dropped"]);
		expect(Object.isFrozen(grant.refused) && Object.isFrozen(grant.refused[0])).toBe(true);
	});

	it("leaves the declared values as they were spelt", () => {
		const declared = new Capabilities({ fsRead: ["./data"] });
		declared.intersect(new Capabilities({ fsRead: ["."] }));
		expect(declared.fsRead).toEqual(["./data"]);
	});

	it.each([undefined, null, {}, "everything", { fsRead: "/" }])(
		"grants no write and no network below %j in the place of a ceiling",
		(ceiling) => {
			const grant = new Capabilities({ fsWrite: ["."], network: true }).intersect(ceiling as never);
			expect([grant.fsWrite, grant.network]).toEqual([[], false]);
		},
	);
});

describe("intersect() in general", () => {
	const name = fc.constantFrom(
		"data",
		"deep",
		"to-data",
		"to-secret",
		"to-inner",
		"to-etc",
		"loop",
		"dangling",
		"missing",
		"..",
		".",
		"x y",
		"work",
	);
	const path = fc
		.tuple(fc.constantFrom("", "/", "~/", `${work}/`, `${root}/`), fc.array(name, { maxLength: 5 }))
		.map(([base, names]) => base + names.join("/"));
	const paths = fc.array(path, { maxLength: 6 });

	it("grants only real places at or below a real root, accounts for every path, and grants its own grant again", () => {
		fc.assert(
			fc.property(paths, paths, (asked, roots) => {
				const declared = new Capabilities({ fsRead: asked });
				const ceiling = new Capabilities({ fsRead: roots });
				const grant = declared.intersect(ceiling);
				for (const place of grant.fsRead) {
					expect(realpathOf(place)).toBe(place);
					expect(ceiling.fsRead.some((ceilingRoot) => below(place, ceilingRoot))).toBe(true);
				}
				const refused = grant.refused.map((refusal) => refusal.path);
				for (const path of declared.fsRead) expect(refused.includes(path) || grant.fsRead.includes(realPath(path))).toBe(true);
				expect(grant.intersect(ceiling).fsRead).toEqual(grant.fsRead);
			}),
			{ numRuns: 300 },
		);
	});

	it("grants no more when the ceiling shrinks", () => {
		fc.assert(
			fc.property(paths, paths, (asked, roots) => {
				const declared = new Capabilities({ fsRead: asked });
				const more = declared.intersect(new Capabilities({ fsRead: roots })).fsRead;
				const less = declared.intersect(new Capabilities({ fsRead: roots.slice(1) })).fsRead;
				expect(less.every((place) => more.includes(place))).toBe(true);
			}),
			{ numRuns: 300 },
		);
	});

	/** An independent reading of "real": what exists is asked of the system, a missing tail is taken name by name. */
	function realpathOf(place: string): string {
		const missing: string[] = [];
		for (let existing = place; ; existing = join(existing, "..")) {
			try {
				return join(realpathSync(existing), ...missing);
			} catch {
				missing.unshift(existing.slice(existing.lastIndexOf("/") + 1));
			}
		}
	}

	function below(place: string, ceilingRoot: string): boolean {
		try {
			const real = realPath(ceilingRoot);
			return real === "/" || place === real || place.startsWith(`${real}/`);
		} catch {
			return false;
		}
	}
});
