/** What there is to show of a call, or in a message: text or an image. */
export type ContentBlock = TextContent | ImageContent;

export interface TextContent {
	readonly type: "text";
	readonly text: string;
}

export interface ImageContent {
	readonly type: "image";
	/** Base64. */
	readonly data: string;
	/** e.g. `"image/png"` */
	readonly mimeType: string;
	readonly uri?: string;
}

export interface ToolCallLocation {
	readonly path: string;
	/** From 1. */
	readonly line?: number;
}

export type ToolCallContent = { readonly type: "content"; readonly content: ContentBlock } | DiffContent;

export interface DiffContent {
	readonly type: "diff";
	readonly path: string;
	/** `null`: the file is new. */
	readonly oldText: string | null;
	readonly newText: string;
}
