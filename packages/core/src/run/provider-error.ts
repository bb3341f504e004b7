/** What a provider says of a failure besides its message. */
export interface ProviderErrorFacts {
	readonly statusCode: number | undefined;
	/** What the provider says, else what the status code does; `undefined` when neither is there. */
	readonly isRetryable: boolean | undefined;
}

/**
 * Reads a provider's error by its shape: a failed request is an instance of `APICallError`, a failure within the stream a plain object
 * with `statusCode` and `isRetryable`, or with the wire's own `code`, which some servers fill with the status.
 */
export function providerErrorFacts(error: unknown): ProviderErrorFacts {
	if (typeof error !== "object" || error === null) return { statusCode: undefined, isRetryable: undefined };
	const { statusCode, code, isRetryable } = error as Readonly<Record<string, unknown>>;
	const status = statusOf(statusCode) ?? statusOf(code);
	if (typeof isRetryable === "boolean") return { statusCode: status, isRetryable };
	return { statusCode: status, isRetryable: status === undefined ? undefined : mayPass(status) };
}

function statusOf(value: unknown): number | undefined {
	const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
	return typeof status === "number" && status >= 400 && status <= 599 ? status : undefined;
}

const mayPass = (status: number): boolean => status === 408 || status === 409 || status === 429 || status >= 500;
