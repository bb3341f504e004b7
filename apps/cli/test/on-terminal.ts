import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { main } from "./run-cli.js";
import { Screen } from "./screen.js";

/** `script`, which gives a program a terminal: of util-linux, on every Debian, and of the BSDs, on every Mac. */
export const hasTerminals: boolean = spawnSync("script", ["-q", "/dev/null", "true"], { stdio: "ignore" }).error === undefined;

/** Below the time a test has, so that what is told of it is the screen. */
const PATIENCE_MS = 40_000;

export interface TerminalOptions {
	readonly cwd: string;
	readonly columns?: number;
	readonly rows?: number;
	readonly env?: Readonly<Record<string, string>>;
}

/** The built command as a person has it: on a real pseudo-terminal, with a keyboard. */
export class OnTerminal {
	/** Everything the terminal was sent. */
	written = "";
	readonly screen: Screen;
	/** The exit code. */
	readonly ended: Promise<number>;
	readonly #child: ChildProcess;
	readonly #directory: string;
	readonly #rows: number;
	#look: () => void = () => {};

	constructor(args: readonly string[], { cwd, columns = 100, rows = 40, env = {} }: TerminalOptions) {
		this.screen = new Screen(columns, rows);
		this.#rows = rows;
		this.#directory = mkdtempSync(join(tmpdir(), "robot-lab-terminal-"));
		const { PATH = "" } = process.env;
		this.#child = spawn("script", this.#scriptArguments(args, columns), {
			cwd,
			env: { PATH, HOME: "/nonexistent", TERM: "xterm-256color", ...env },
			stdio: ["pipe", "pipe", "inherit"],
		});
		onTestFinished(() => {
			this.#child.kill("SIGKILL");
			rmSync(this.#directory, { recursive: true, force: true });
		});
		this.#child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
			this.written += chunk;
			this.screen.write(chunk);
			this.#look();
		});
		this.ended = new Promise((resolve) => {
			this.#child.once("close", () => {
				const code = join(this.#directory, "code");
				resolve(existsSync(code) ? Number(readFileSync(code, "utf8")) : -1);
			});
		});
	}

	/** Presses keys, e.g. `"\u0003"` for Ctrl-C. */
	press(keys: string): void {
		this.#child.stdin?.write(keys);
	}

	/** Closes the terminal's window. */
	close(): void {
		this.#child.kill("SIGKILL");
	}

	/** The command's process. */
	get pid(): number {
		return Number(this.#note("pid"));
	}

	/** Makes the terminal's window so many columns wide: at one moment, with nothing on the way that was drawn for the old one. */
	async resize(columns: number): Promise<void> {
		const tty = this.#note("tty");
		process.kill(this.pid, "SIGSTOP");
		const marker = "\u001b[28m";
		writeFileSync(tty, marker);
		await this.until(() => this.written.includes(marker));
		await this.screen.resize(columns, this.#rows);
		spawnSync("stty", [process.platform === "linux" ? "-F" : "-f", tty, "cols", String(columns)]);
		process.kill(this.pid, "SIGCONT");
	}

	/** Resolves with the screen once it is as it should be; rejects with it when it never is. */
	async until(isSo: (screen: string) => boolean): Promise<string> {
		let isOver = false;
		const patience = setTimeout(() => {
			isOver = true;
			this.#look();
		}, PATIENCE_MS);
		void this.ended.then(() => {
			isOver = true;
			this.#look();
		});
		try {
			for (;;) {
				const isLast = isOver;
				const changed = new Promise<void>((resolve) => {
					this.#look = resolve;
				});
				const screen = (await this.screen.lines()).join("\n");
				if (isSo(screen)) return screen;
				if (isLast) throw new Error(`The screen never was as it should be:\n${screen}`);
				if (!isOver) await changed;
			}
		} finally {
			clearTimeout(patience);
		}
	}

	#note(name: string): string {
		return readFileSync(join(this.#directory, name), "utf8").trim();
	}

	#scriptArguments(args: readonly string[], columns: number): string[] {
		const file = join(this.#directory, "run.sh");
		const words = [process.execPath, main, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
		const lines = [
			// Ctrl-C reaches this shell as well, and it must outlive the command to note its exit code
			"trap : INT",
			`cd '${this.#directory}' && tty > tty && stty rows ${this.#rows} cols ${columns}`,
			`sh -c 'echo $$ > pid; cd "$1"; shift; exec "$@"' sh "$OLDPWD" ${words}`,
			"echo $? > code",
		];
		writeFileSync(file, `${lines.join("\n")}\n`);
		return process.platform === "linux" ? ["-q", "-f", "-c", `sh ${file}`, "/dev/null"] : ["-q", "/dev/null", "sh", file];
	}
}
