import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { ended, main } from "./run-cli.js";

const ENVIRONMENT = { PATH: process.env.PATH ?? "", HOME: "/nonexistent" };

/** A folder with skills and other files, for many tests. */
export class Folder implements Disposable {
	readonly path: string = realpathSync(mkdtempSync(join(tmpdir(), "robot-lab-mcp-")));

	constructor(files: Readonly<Record<string, string>>) {
		this.write(files);
	}

	/** What lies in a scripts folder is executable. */
	write(files: Readonly<Record<string, string>>): void {
		for (const [name, text] of Object.entries(files)) {
			const path = join(this.path, name);
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, text);
			if (path.includes("/scripts/")) chmodSync(path, 0o755);
		}
	}

	[Symbol.dispose](): void {
		rmSync(this.path, { recursive: true, force: true });
	}
}

/** The built command, started by the protocol's own client as any program with MCP starts it. */
export class McpSession implements AsyncDisposable {
	readonly client: Client;
	readonly skills: SkillsClient;
	/** What the client could not read, or did not expect. */
	readonly complaints: string[] = [];
	/** Lists that the server said to be others now. */
	readonly changed: string[] = [];
	#log = "";

	private constructor() {
		this.client = new Client({ name: "test", version: "1" });
		this.skills = new SkillsClient(this.client);
		this.client.onerror = (error) => this.complaints.push(error.message);
		for (const list of ["tools", "prompts", "resources"] as const) {
			this.client.setNotificationHandler(`notifications/${list}/list_changed`, () => void this.changed.push(list));
		}
	}

	static async start(args: readonly string[], cwd: string, home = ENVIRONMENT.HOME): Promise<McpSession> {
		const session = new McpSession();
		const transport = new StdioClientTransport({
			command: process.execPath,
			args: [main, "mcp", ...args],
			cwd,
			env: { ...ENVIRONMENT, HOME: home },
			stderr: "pipe",
		});
		transport.stderr?.on("data", (chunk) => {
			session.#log += chunk;
		});
		await session.client.connect(transport);
		return session;
	}

	/** What the server wrote beside the protocol. */
	get log(): string {
		return this.#log;
	}

	/** What a model reads of a call. */
	async call(
		name: string,
		args: Record<string, unknown> = {},
		options: { signal?: AbortSignal } = {},
	): Promise<{ text: string; isError: boolean }> {
		const { content, isError = false } = await this.client.callTool({ name, arguments: args }, options);
		return { text: content.map((block) => (block.type === "text" ? block.text : "")).join(""), isError };
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.client.close();
	}
}

/** The same command, line by line. */
export class WireSession implements Disposable {
	readonly child: ChildProcessWithoutNullStreams;
	readonly ended: Promise<number | string | null>;
	#written = "";
	#log = "";

	constructor(args: readonly string[], cwd: string) {
		this.child = spawn(process.execPath, [main, "mcp", ...args], { cwd, env: ENVIRONMENT });
		this.ended = ended(this.child);
		this.child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
			this.#written += chunk;
		});
		this.child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
			this.#log += chunk;
		});
	}

	/** What was written to standard output: whole lines. */
	get lines(): readonly string[] {
		return this.#written.split("\n").slice(0, -1);
	}

	get log(): string {
		return this.#log;
	}

	readonly send = (message: object): void => void this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

	/** Where a test failed it may still be there. */
	[Symbol.dispose](): void {
		this.child.kill("SIGKILL");
	}
}

/** The command lines of processes that name this path. */
export function processesNaming(path: string): readonly string[] {
	return commandLines().filter((line) => line.includes(path));
}

function commandLines(): readonly string[] {
	if (process.platform !== "linux") return spawnSync("ps", ["-Aww", "-o", "args"], { encoding: "utf8" }).stdout.split("\n");
	return readdirSync("/proc").flatMap((pid) => {
		try {
			return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")] : [];
		} catch {
			return [];
		}
	});
}
