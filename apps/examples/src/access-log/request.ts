/** One request as the server saw it. */
export interface Request {
	/** Seconds since midnight. */
	readonly at: number;
	readonly client: string;
	/** Method, target and protocol, or the raw bytes of something that was no HTTP. */
	readonly line: string;
	readonly status: number;
	readonly bytes: number;
	readonly referrer: string;
	readonly agent: string;
	/** How long the answer took. */
	readonly seconds: number;
}

const DAY = "14/Oct/2026";
const twoDigits = (value: number): string => String(value).padStart(2, "0");

function clock(at: number): string {
	return [Math.floor(at / 3600), Math.floor(at / 60) % 60, at % 60].map(twoDigits).join(":");
}

/** The combined log format, followed by the request time in seconds. */
export function formatRequest(request: Request): string {
	const { client, line, status, bytes, referrer, agent, seconds } = request;
	const when = `[${DAY}:${clock(request.at)} +0000]`;
	return `${client} - - ${when} "${line}" ${status} ${bytes} "${referrer}" "${agent}" ${seconds.toFixed(3)}`;
}
