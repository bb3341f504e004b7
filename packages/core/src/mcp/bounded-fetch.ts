import { MAX_MESSAGE_BYTES } from "./server-options.js";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** `fetch`, of which no answer, and no event in a stream of events, is longer than one message may be. What is longer breaks off with an error. */
export function boundedFetch(maxBytes: number = MAX_MESSAGE_BYTES, send: Fetch = fetch): Fetch {
	return async (url, init) => {
		const response = await send(url, init);
		if (response.body === null) return response;
		const isStream = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
		const { status, statusText, headers } = response;
		return withAddress(response, new Response(response.body.pipeThrough(limit(maxBytes, isStream)), { status, statusText, headers }));
	};
}

/** A response that is made has neither an address nor a word of redirections, by which the client knows where an answer came from. */
function withAddress({ url, redirected }: Response, response: Response): Response {
	return Object.defineProperties(response, { url: { value: url }, redirected: { value: redirected } });
}

/** @param isStream Whether an empty line begins the count anew. */
function limit(maxBytes: number, isStream: boolean): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
	let length = 0;
	let isLineEmpty = true;
	return new TransformStream({
		transform(chunk, controller) {
			let longest = 0;
			for (const byte of chunk) {
				length += 1;
				longest = Math.max(longest, length);
				if (isStream && byte === LINE_FEED) {
					if (isLineEmpty) length = 0;
					isLineEmpty = true;
				} else if (byte !== CARRIAGE_RETURN) isLineEmpty = false;
			}
			if (longest > maxBytes) controller.error(new Error(`the server sent a message of more than ${maxBytes} bytes`));
			else controller.enqueue(chunk);
		},
	});
}
