/** What `load` gives, loaded when it is first asked for and then kept. Who asks meanwhile waits for the same; after a failure the next one tries again. */
export function loadedOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
	let loaded: Promise<Value> | undefined;
	return () => {
		loaded ??= load().catch((error: unknown) => {
			loaded = undefined;
			throw error;
		});
		return loaded;
	};
}
