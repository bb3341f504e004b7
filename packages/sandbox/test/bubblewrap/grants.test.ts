import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Capabilities, configure } from "@robot-lab/core";
import { describe, expect, it } from "vitest";
import { Executor } from "../../src/run/executor.js";
import { noBubblewrap } from "../support/no-bubblewrap.js";
import { put } from "../support/workshop.js";
import { arena, isRoot } from "./arena.js";

describe.skipIf(noBubblewrap !== undefined)(`grants under bubblewrap (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("may be 300", async () => {
		const { confined, directory } = arena();
		const roots = Array.from({ length: 300 }, (_, index) => join(directory, "many", String(index)));
		for (const root of roots) put(join(root, "x"), `${root.split("/").at(-1)}\n`);
		const { output, exitCode } = await confined('cat "$MANY/0/x" "$MANY/299/x"; ls "$MANY" | wc -l', {
			grant: { fsRead: roots },
			env: { MANY: join(directory, "many") },
		});
		expect({ output, exitCode }).toEqual({ output: "0\n299\n300\n", exitCode: 0 });
	});

	it("may have names with quotes, spaces, letters and signs that mean something elsewhere", async () => {
		const { confined, directory } = arena();
		const names = ['a "b" c', "it's", "größe", "$(touch x)", "--bind", "a*b", "\\n"];
		for (const name of names) put(join(directory, "odd", name, "x"), "ok\n");
		const { output } = await confined('for d in "$ODD"/*; do cat "$d/x" && echo more >> "$d/x"; done', {
			grant: { fsWrite: names.map((name) => join(directory, "odd", name)) },
			env: { ODD: join(directory, "odd") },
		});
		expect(output).toBe("ok\n".repeat(names.length));
	});

	it("give nothing for a broken link, a link out of the ceiling, a way out by .. and a name with a newline", async () => {
		const { confined, directory, in: input } = arena();
		symlinkSync("/nowhere/at/all", join(directory, "broken"));
		symlinkSync("/etc", join(directory, "leads-out"));
		mkdirSync(join(directory, "a\nb"));
		const { output, refusal } = await confined('ls -A "$TOP" | grep -v leads-out; cat "$TOP/leads-out/hosts" /etc/shadow; echo ran', {
			grant: { fsRead: [input], fsWrite: ["leads-out", "in/../../../etc", "a\nb"].map((name) => `${directory}/${name}`) },
			env: { TOP: directory },
		});
		expect(refusal).toBeUndefined();
		expect(output).toMatch(/^in\nskill\n/);
		expect(output).toMatch(/shadow: No such file or directory\nran\n$/);
		expect(output).not.toContain("root:");
		const broken = await confined("true", { grant: { fsRead: [join(directory, "broken")] } });
		expect(broken.exitCode).toBe(0);
	});

	it("refuse to write what does not exist, in words that say what to do, and make nothing on the host", async () => {
		const { confined, directory } = arena();
		const { refusal } = await confined("echo ran", { grant: { fsWrite: [join(directory, "new", "place")] } });
		expect(refusal).toMatchObject({ code: "grant_not_expressible", message: expect.stringMatching(/new\/place".*create it first/) });
		expect(existsSync(join(directory, "new"))).toBe(false);
	});

	it("may be single files, of which nothing beside them shows", async () => {
		const { confined, directory } = arena();
		put(join(directory, "d", "one"), "1\n");
		put(join(directory, "d", "two"), "2\n");
		const script = 'cat "$D/one"; echo new >> "$D/one" && echo wrote; cat "$D/two"; ls "$D"; touch "$D/three"';
		const { output } = await confined(script, {
			grant: { fsRead: [], fsWrite: [join(directory, "d", "one")] },
			env: { D: join(directory, "d") },
		});
		expect(output).toMatch(/^1\nwrote\n/);
		expect(output).toContain("\none\n");
		expect(output).not.toMatch(/^2$/m);
		expect(readdirSync(join(directory, "d")).sort()).toEqual(["one", "two"]);
	});

	it("of the whole disk for reading show it, and neither the host's processes nor a place to write", async () => {
		const { confined, outside } = arena();
		const name = `robot-lab-root-${process.pid}`;
		const script = `cat "$OUTSIDE/file"; ls -d /proc/[0-9]* | wc -l; for d in / /etc /usr /tmp "$OUTSIDE" "$HOME"; do touch "$d/${name}" 2>/dev/null && echo "wrote $d"; done; touch "$TMPDIR/x" && echo own; true`;
		const { output } = await confined(script, { grant: { fsRead: ["/"], fsWrite: [] } });
		expect(output).toMatch(/^untouched\n\d\nown\n$/);
		for (const place of ["/", "/etc", "/tmp", outside]) expect(existsSync(join(place, name))).toBe(false);
	});

	it("of the whole disk for writing are invalid", async () => {
		const { skillDir } = arena();
		configure({ sandbox: { enabled: true, backend: "bubblewrap", fsWrite: ["/"] } });
		const { refusal } = await Executor.run(["true"], { capabilities: new Capabilities({ fsWrite: ["/"] }), skillDir });
		expect(refusal).toMatchObject({ code: "invalid_grant" });
	});

	it.runIf(isRoot)("never let root inside be more than an ordinary user (root alone can be tried)", async () => {
		const { output } = await arena().confined(
			"id -u; id -un; chown 0:0 $OUT/own; mknod $OUT/null c 1 3; mount -t tmpfs x /tmp; hostname other; ls $OUT",
		);
		expect(output).toMatch(/^1000\nrobot\n/);
		expect(output.match(/Operation not permitted|Invalid argument|must be (superuser|root)/g)?.length).toBeGreaterThanOrEqual(4);
		expect(output).toMatch(/\nown\n$/);
	});
});
