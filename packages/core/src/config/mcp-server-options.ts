/** What every server may be given. */
export interface McpCommonOptions {
	/** What the server is good for: `tools({ about })` chooses servers by it. Default: nothing, and it is always chosen. */
	readonly description?: string;
	/** How long one request may take, in milliseconds. Default 60000. */
	readonly timeoutMs?: number;
	/** How long the server may take to start and introduce itself, in milliseconds. Default 30000. */
	readonly connectTimeoutMs?: number;
}

/** A server that is started here and spoken to over its standard input and output. */
export interface McpProgramOptions extends McpCommonOptions {
	/** The program. No shell sees it. */
	readonly command: string;
	readonly args?: readonly string[];
	/** Variables it gets besides `PATH`, `HOME`, `USER`, `LOGNAME`, `SHELL`, `TERM`, `TMPDIR`, `LANG`, `LC_*` and `TZ` of this process. */
	readonly env?: Readonly<Record<string, string>>;
	/** Names of further variables of this process that it gets too. */
	readonly envPass?: readonly string[];
	/** Default: this process's working directory. */
	readonly cwd?: string;
}

/** A server that runs elsewhere and is reached over HTTP. */
export interface McpAddressOptions extends McpCommonOptions {
	/** `http:` or `https:`. */
	readonly url: string | URL;
	/** `"http"` is streamable HTTP, `"sse"` what was before it. Default: `"http"`, and `"sse"` where the server does not know that. */
	readonly transport?: "http" | "sse";
	/** Sent with every request, e.g. `authorization`. Not sent on to another origin. */
	readonly headers?: Readonly<Record<string, string>>;
}

/** How one Model Context Protocol server is reached. */
export type McpServerOptions = McpProgramOptions | McpAddressOptions;

export const isProgram = (options: McpServerOptions): options is McpProgramOptions => "command" in options;
