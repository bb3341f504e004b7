import { copyFileSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { noBubblewrap } from "../support/no-bubblewrap.js";
import { put } from "../support/workshop.js";
import { type Arena, arena } from "./arena.js";

/** Where an installation keeps an interpreter, seen from the home directory, and what of it must come along and what must not. */
interface Installation {
	readonly name: string;
	/** The program, and how `PATH` leads to it where not by its own directory. */
	readonly program: string;
	readonly linkedFrom?: string;
	/** What the interpreter is made of besides its own file. */
	readonly own?: string;
	/** What lies beside it and belongs to somebody else. */
	readonly foreign: string;
}

const INSTALLATIONS: readonly Installation[] = [
	{
		name: "nvm",
		program: ".nvm/versions/node/v24.1.0/bin/node",
		own: ".nvm/versions/node/v24.1.0/lib/own",
		foreign: ".nvm/versions/node/v20.0.0/lib/own",
	},
	{
		name: "pyenv",
		program: ".pyenv/versions/3.13.1/bin/python3",
		own: ".pyenv/versions/3.13.1/lib/own",
		foreign: ".pyenv/versions/3.9.0/lib/own",
	},
	{
		name: "asdf",
		program: ".asdf/installs/ruby/3.4.1/bin/ruby",
		own: ".asdf/installs/ruby/3.4.1/lib/own",
		foreign: ".asdf/installs/nodejs/22.0.0/lib/own",
	},
	{
		name: "mise",
		program: ".local/share/mise/installs/node/24.1.0/bin/node",
		own: ".local/share/mise/installs/node/24.1.0/lib/own",
		foreign: ".local/share/mise/installs/go/1.24.0/lib/own",
	},
	{
		name: "uv, through its link",
		program: ".local/share/uv/python/cpython-3.13.1-linux-x86_64-gnu/bin/python3.13",
		linkedFrom: ".local/bin/python3",
		own: ".local/share/uv/python/cpython-3.13.1-linux-x86_64-gnu/lib/own",
		foreign: ".local/share/uv/tools/own",
	},
	{
		name: "rbenv",
		program: ".rbenv/versions/3.4.1/bin/ruby",
		own: ".rbenv/versions/3.4.1/lib/own",
		foreign: ".rbenv/versions/2.7.0/lib/own",
	},
	{
		name: "Homebrew, through its link",
		program: "brew/Cellar/ruby/3.4.1/bin/ruby",
		linkedFrom: "brew/bin/ruby",
		own: "brew/Cellar/ruby/3.4.1/lib/own",
		foreign: "brew/etc/own",
	},
	{
		name: "a project's own node_modules/node",
		program: "project/node_modules/node/bin/node",
		linkedFrom: "project/node_modules/.bin/node",
		foreign: "project/node_modules/other/own",
	},
];

/** A home directory of its own with one installation in it. The interpreter is a copy of bash: a real program that lies where it says. */
function install({ program, linkedFrom, own, foreign }: Installation, { directory }: Arena): { readonly home: string } {
	const home = join(directory, "home");
	for (const file of [own ?? [], foreign, ".secret", "project/.env"].flat()) put(join(home, file), `content of ${file}\n`);
	mkdirSync(dirname(join(home, program)), { recursive: true });
	copyFileSync("/bin/bash", join(home, program));
	if (linkedFrom !== undefined) {
		mkdirSync(dirname(join(home, linkedFrom)), { recursive: true });
		symlinkSync(join(home, program), join(home, linkedFrom));
	}
	const { HOME = "", PATH = "", HOMEBREW_PREFIX } = process.env;
	onTestFinished(() => {
		Object.assign(process.env, { HOME, PATH });
		if (HOMEBREW_PREFIX === undefined) delete process.env.HOMEBREW_PREFIX;
		else process.env.HOMEBREW_PREFIX = HOMEBREW_PREFIX;
	});
	Object.assign(process.env, {
		HOME: home,
		HOMEBREW_PREFIX: join(home, "brew"),
		PATH: `${dirname(join(home, linkedFrom ?? program))}:/usr/bin:/bin`,
	});
	return { home };
}

/** Which of the files can be read, and whether what is readable can be written. */
const ASK =
	'for name in $FILES; do cat "$HOME/$name" 2>/dev/null; : 2>/dev/null >>"$HOME/$name" && [ -s "$HOME/$name" ] && echo "wrote $name"; done; echo "run by $BASH"';

describe.skipIf(noBubblewrap !== undefined)(
	`interpreters outside of the system under bubblewrap (${noBubblewrap ?? "bubblewrap works here"})`,
	() => {
		it.each(INSTALLATIONS)("$name: its version is readable and nothing else of home", async (installation) => {
			const place = arena();
			const { home } = install(installation, place);
			const { program, linkedFrom, own, foreign } = installation;
			const name = (linkedFrom ?? program).split("/").at(-1) ?? "";
			const files = [own ?? [], foreign, ".secret", "project/.env"].flat();
			const ask = { interpreter: name, env: { FILES: files.join(" "), HOME: home } };

			const control = await place.unconfined(ASK, ask);
			const everything = files.map((file) => `content of ${file}\nwrote ${file}\n`).join("");
			expect(control.output).toBe(`${everything}run by ${join(home, linkedFrom ?? program)}\n`);
			const { output, confinement, refusal } = await place.confined(ASK, ask);
			expect({ confinement, refusal }).toEqual({ confinement: "bubblewrap", refusal: undefined });
			expect(output).toBe(`${own === undefined ? "" : `content of ${own}\n`}run by ${join(home, linkedFrom ?? program)}\n`);
		});
	},
);
