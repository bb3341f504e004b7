/** A promise, and what settles it: `Promise.withResolvers` for every Node that runs this. */
export interface Deferred<T> {
	readonly promise: Promise<T>;
	readonly resolve: (value: T | PromiseLike<T>) => void;
	readonly reject: (reason: unknown) => void;
}

export function deferred<T>(): Deferred<T> {
	let settle: Omit<Deferred<T>, "promise"> | undefined;
	const promise = new Promise<T>((resolve, reject) => {
		settle = { resolve, reject };
	});
	return { promise, ...(settle as Omit<Deferred<T>, "promise">) };
}
