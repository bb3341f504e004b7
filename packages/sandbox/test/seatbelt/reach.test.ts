import { mkdirSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Capabilities, parseShebang } from "@robot-lab/core";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { evaluateProfile } from "../../src/sbpl/index.js";
import { gatherHostFacts } from "../../src/seatbelt/gather-host-facts.js";
import { macPath } from "../../src/seatbelt/mac-path.js";
import { seatbeltProfile } from "../../src/seatbelt/profile.js";
import { put, workshop } from "../support/workshop.js";

/** What can be read in all, on real files: the grant, the bundle, and what the interpreter is made of. */
const PROGRAM = "#!/bin/sh\n";

/** A home directory with a user's things, a skill, version managers, and places that only look like one. */
function householdIn(home: string) {
	const at = (...names: string[]): string => join(home, ...names);
	const file = (path: string): string => put(at(path), "x\n");
	const program = (path: string, text = PROGRAM): string => put(at(path), text, 0o755);
	for (const path of [".ssh/id", "work/app/data/in.csv", "work/app/data/more/x", "work/app/secret.env", "work/other/x"]) file(path);
	for (const part of ["lib", "libexec", "share", "Frameworks", "versions", "installs", "plugins"]) file(`work/suite/${part}/secret`);
	for (const version of ["v1", "v2"]) {
		program(`.nvm/versions/node/${version}/bin/node`);
		file(`.nvm/versions/node/${version}/lib/x`);
	}
	for (const version of ["3.11", "3.12"]) {
		program(`.pyenv/versions/${version}/bin/python3`);
		file(`.pyenv/versions/${version}/lib/x`);
	}
	file(".pyenv/versions/2.7/lib/x");
	for (const path of [".pyenv/libexec/pyenv", ".pyenv/version", ".pyenv/private", ".nvm/private/x"]) file(path);
	program(".pyenv/shims/python3");
	for (const path of ["work/suite/bin/run", "work/suite/shims/run", "work/app/node_modules/private-pkg/cli.js"]) program(path);
	file("work/app/node_modules/private-pkg/lib/x");
	program("work/suite/versions/node/v1/bin/node");
	file("work/suite/versions/node/v1/lib/secret");
	program("work/suite/bin/chain", `#!${at("work/suite/bin/run")}\n`);
	program("work/venv/bin/python");
	file("work/venv/pyvenv.cfg");
	file("work/venv/lib/python3.12/site-packages/private.py");
	file("work/venv/secret");
	file("skills/report/SKILL.md");
	file("skills/other/SKILL.md");
	symlinkSync(at("work"), at("skills/report/out"));
	mkdirSync(at("skills/report/bin"));
	symlinkSync(at("work/suite/bin/run"), at("skills/report/bin/interpreter"));
	symlinkSync(at("work/app"), at("app"));
	return { home, at, skillDir: at("skills/report") };
}
type Household = ReturnType<typeof householdIn>;

/** A first line a script may have, and by hand what it may open: `*` for all below. */
const FIRST_LINES = ({ at }: Household): readonly { readonly line: string; readonly opens: readonly string[] }[] => {
	const nvm = (version: string): string => at(`.nvm/versions/node/${version}/`);
	const pyenv = ["bin/", "lib/", "libexec/", "plugins/", "shims/", "version", "versions/3.11/", "versions/3.12/"].map((part) =>
		at(".pyenv", part),
	);
	const run = at("work/suite/bin/run");
	const chain = at("work/suite/bin/chain");
	return [
		{ line: "#!/bin/bash", opens: [] },
		{ line: "#!/usr/bin/env bash", opens: [] },
		{ line: `#!${at(".nvm/versions/node/v1/bin/node")}`, opens: [nvm("v1")] },
		{ line: "#!/usr/bin/env node", opens: [nvm("v2")] },
		{ line: "#!/usr/bin/env -S -u NODE_OPTIONS A=b node --x", opens: [nvm("v2")] },
		{ line: "#!/usr/bin/env python3", opens: pyenv },
		{ line: `#!${run}`, opens: [run] },
		{ line: `#!/usr/bin/env ${run}`, opens: [run] },
		{ line: `#!${chain}`, opens: [chain, run] },
		{ line: `#!${at("skills/report/bin/interpreter")}`, opens: [run] },
		{ line: `#!${at("skills/report/out/suite/bin/run")}`, opens: [run] },
		{ line: `#!${at("work/suite/shims/run")}`, opens: [at("work/suite/shims/run")] },
		{ line: `#!${at("work/suite/versions/node/v1/bin/node")}`, opens: [at("work/suite/versions/node/v1/bin/node")] },
		{ line: `#!${at("work/app/node_modules/private-pkg/cli.js")}`, opens: [at("work/app/node_modules/private-pkg/cli.js")] },
		{ line: `#!${at("work/venv/bin/python")}`, opens: [at("work/venv/bin/python")] },
		{ line: `#!${at(".ssh/id")}`, opens: [] },
		{ line: `#!${at("work")}`, opens: [] },
		{ line: `#!/usr/bin/env -S PATH=${at("work/suite/bin")} run`, opens: [] },
	];
};

const filesBelow = (directory: string): readonly string[] =>
	readdirSync(directory, { withFileTypes: true, recursive: true }).flatMap((entry) =>
		entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
	);

/** Said in another way than the code says it: on strings that end in a slash where all below is meant. */
const covers = (root: string, path: string): boolean => path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);

function grantedOf(declared: readonly string[], ceiling: readonly string[]): readonly string[] {
	const real = (paths: readonly string[]): string[] => paths.map((path) => realpathSync(path));
	return real(declared).filter((path) => real(ceiling).some((root) => covers(root, path)));
}

describe("what a confined script can read", () => {
	it("is the grant, its bundle and what its interpreter is made of, whatever it declares and names", () => {
		const household = householdIn(workshop());
		const { home, at, skillDir } = household;
		const { HOME } = process.env;
		process.env.HOME = home;
		onTestFinished(() => {
			process.env.HOME = HOME;
		});
		const searchPath = [at(".nvm/versions/node/v2/bin"), at(".pyenv/shims"), "/usr/bin", "/bin"].join(":");
		const files = filesBelow(home);
		const places = ["work/app/data", "work/app/data/more", "work/app", "app", "app/data", "work/other", "skills/report/out/other", "work"]
			.concat("work/suite/../other", "skills/report", "work/app/secret.env")
			.map((path) => `${home}/${path}`);
		const some = fc.array(fc.constantFrom(...places), { maxLength: 3 });
		const seen = { granted: 0, refused: 0 };
		fc.assert(
			fc.property(some, some, some, fc.constantFrom(...FIRST_LINES(household)), (declared, written, ceiling, { line, opens }) => {
				const wanted = new Capabilities({ fsRead: declared, fsWrite: written });
				const grant = wanted.intersect(new Capabilities({ fsRead: ceiling, fsWrite: ceiling }));
				const command = [...(parseShebang(`${line}\n`) ?? ["bash"]), join(skillDir, "scripts/run")];
				const paths = [...grant.fsRead, ...grant.fsWrite, skillDir, ...declared, ...written];
				const facts = gatherHostFacts({ paths, command, cwd: at("work/other"), searchPath });
				const decide = evaluateProfile(seatbeltProfile({ grant, skillDir, facts }));
				const expected = [...grantedOf([...declared, ...written], ceiling), skillDir, ...opens];
				for (const path of files) {
					const { allowed } = decide("file-read-data", { path: macPath(path), vnodeType: "REGULAR-FILE" });
					expect({ line, path, allowed }).toEqual({ line, path, allowed: expected.some((root) => covers(root, path)) });
					seen[allowed ? "granted" : "refused"] += 1;
				}
			}),
			{ numRuns: 250 },
		);
		expect(Math.min(seen.granted, seen.refused)).toBeGreaterThan(1000);
	});
});
