import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { McpProgramOptions } from "../config/mcp-server-options.js";
import { OutputBuffer } from "../process/output-buffer.js";
import { type Resident, startResident } from "../process/resident.js";
import type { ClientPackage } from "./load-client.js";
import { serverEnvironment } from "./server-environment.js";
import { MAX_MESSAGE_BYTES } from "./server-options.js";
import { WholeLines } from "./whole-lines.js";

/** How much is kept of what a server writes to standard error, which it may flood. */
const KEPT_ERROR_BYTES = 8 * 1024;

/** A started server, a message on each line of its standard input and output. */
export class StdioTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: (message: JSONRPCMessage) => void;
	/** By this and `pid` the client knows a transport of this kind, on which silence means an older server. */
	readonly stderr = null;
	readonly #options: McpProgramOptions;
	readonly #errorOutput: OutputBuffer = new OutputBuffer(KEPT_ERROR_BYTES);
	readonly #lines: WholeLines = new WholeLines();
	readonly #messages: InstanceType<ClientPackage["ReadBuffer"]>;
	#starting: Promise<Resident> | undefined;
	#pid: number | undefined;
	#isClosed = false;
	#isTelling = false;
	/** How it ended, in words, once it has. */
	ending: string | undefined;

	constructor({ ReadBuffer }: ClientPackage, options: McpProgramOptions) {
		this.#options = options;
		this.#messages = new ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES });
	}

	get pid(): number | null {
		return this.#pid ?? null;
	}

	/** What it wrote to standard error: the beginning and the end. */
	get errorOutput(): string {
		return this.#errorOutput.text().text;
	}

	async start(): Promise<void> {
		this.#starting = this.#start();
		await this.#starting;
	}

	async send(message: JSONRPCMessage): Promise<void> {
		if (this.#isClosed || this.#starting === undefined) throw new Error("the server has ended");
		const resident = await this.#starting;
		await resident.write(`${JSON.stringify(message)}\n`);
	}

	/** Ends the server and all it started, also where it is just being started. */
	async close(): Promise<void> {
		const resident = await this.#starting?.catch(() => undefined);
		await resident?.end();
		this.#close();
	}

	async #start(): Promise<Resident> {
		const { command, args = [], cwd } = this.#options;
		const env = serverEnvironment(this.#options, process.env);
		const resident = await startResident([command, ...args], { cwd, env, onOutput: this.#receive, onErrorOutput: this.#keep });
		if ("code" in resident) throw new Error(resident.message);
		this.#pid = resident.pid;
		void resident.ended.then(({ exitCode, signal }) => {
			this.ending ??= signal === null ? `it ended with exit code ${exitCode}` : `it was ended by ${signal}`;
			this.#close();
		});
		return resident;
	}

	readonly #keep = (bytes: Uint8Array): void => this.#errorOutput.append(bytes);

	readonly #receive = (bytes: Uint8Array): void => {
		if (this.#isClosed) return;
		try {
			const lines = this.#lines.take(bytes);
			if (lines === undefined) return;
			this.#messages.append(lines);
		} catch {
			this.ending = `it wrote a message of more than ${MAX_MESSAGE_BYTES} bytes`;
			void this.close();
			return;
		}
		if (!this.#isTelling) void this.#tell();
	};

	/** Tells one message after the other: the client hears a notification a moment later than an answer, unless that moment is given to it. */
	async #tell(): Promise<void> {
		this.#isTelling = true;
		for (let message = this.#next(); message !== null; message = this.#next()) {
			this.onmessage?.(message);
			await undefined;
		}
		this.#isTelling = false;
	}

	#next(): JSONRPCMessage | null {
		for (;;) {
			try {
				return this.#messages.readMessage();
			} catch (error) {
				// A line that is JSON and no message. What is no JSON, such as a greeting, is skipped before.
				this.onerror?.(error as Error);
			}
		}
	}

	#close(): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		this.#messages.clear();
		this.onclose?.();
	}
}
