import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const fixture = join(import.meta.dirname, "fixtures/asks.mjs");
const hasTerminals = spawnSync("script", ["-q", "/dev/null", "true"], { stdio: "ignore" }).error === undefined;

/** A program that is spoken to, and everything it wrote. Its input stays open. */
class Spoken {
	written = "";
	readonly #child: ChildProcess;
	readonly #ended: Promise<void>;
	#look: () => void = () => {};

	constructor(command: string, args: readonly string[]) {
		const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
		onTestFinished(() => void child.kill("SIGKILL"));
		child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
			this.written += chunk;
			this.#look();
		});
		this.#ended = new Promise((resolve) => {
			child.once("close", () => {
				resolve();
				this.#look();
			});
		});
		this.#child = child;
	}

	async answers(prompt: string, line: string): Promise<void> {
		while (!this.written.includes(prompt) && this.#child.exitCode === null) {
			await new Promise<void>((resolve) => {
				this.#look = resolve;
			});
		}
		this.#child.stdin?.write(line);
	}

	/** Everything it wrote, once it has ended by itself. */
	async whole(): Promise<string> {
		await this.#ended;
		return this.written.replaceAll("\r\n", "\n");
	}
}

it("a program that asked ends by itself, though its input stays open", async () => {
	const program = new Spoken(process.execPath, [fixture]);
	await program.answers("Answer (1-2): ", "2\n");
	await program.answers("Answer [no reason]: ", "\n");
	expect(await program.whole()).toContain("second: no reason\n");
	expect(program.written).toContain("first: blue\n");
});

it("lines that came before the first question are the answers, and an input without any is an end", () => {
	const run = (input: string): string => spawnSync(process.execPath, [fixture], { input, encoding: "utf8" }).stdout;
	expect(run("red\nI like it\nmore\n")).toMatch(/first: red\n[\s\S]*second: I like it\n$/);
	expect(run("1\n")).toMatch(/second: no reason\n$/);
	expect(run("")).toMatch(/failed: there is nobody to answer: the input has ended\n$/);
});

it.skipIf(!hasTerminals)("a person at a terminal sees the question, and what they type once", async () => {
	const command = [process.execPath, fixture];
	const args =
		process.platform === "linux"
			? ["-q", "-f", "-c", command.map((word) => `'${word}'`).join(" "), "/dev/null"]
			: ["-q", "/dev/null", ...command];
	const program = new Spoken("script", args);
	await program.answers("Answer (1-2): ", "green\n");
	await program.answers("none of the choices.\r\nAnswer (1-2): ", "blue\n");
	await program.answers("Answer [no reason]: ", "it is calm\n");
	expect(await program.whole()).toBe(
		`[helper] Which colour?
  1) red
  2) blue
Answer (1-2): green
"green" is none of the choices.
Answer (1-2): blue
first: blue
[helper] Why?
Answer [no reason]: it is calm
second: it is calm
`,
	);
});
