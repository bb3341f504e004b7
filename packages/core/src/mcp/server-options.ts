/** How servers are asked for what they have. */
export interface McpListOptions {
	/** Ends the waiting; servers stay connected. */
	readonly signal?: AbortSignal | undefined;
}

export interface McpChoiceOptions extends McpListOptions {
	/** Which servers are asked, by their names. Default: all. */
	readonly servers?: readonly string[];
}

export interface McpToolsOptions extends McpChoiceOptions {
	/**
	 * A message: only servers whose `description` has to do with it are asked, and those without a description; all of them where none fits.
	 * Default: all.
	 */
	readonly about?: string;
}

export const DEFAULT_TIMEOUT_MS = 60_000;
export const DEFAULT_CONNECT_TIMEOUT_MS = 30_000;
/** The most that is taken in one message. */
export const MAX_MESSAGE_BYTES: number = 8 * 1024 * 1024;
