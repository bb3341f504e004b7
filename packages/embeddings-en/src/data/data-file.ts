import { readFile } from "node:fs/promises";

/** A file of this package's data/. Rejects with an error that names it and says what to do. */
export async function readDataFile(name: string): Promise<Buffer> {
	const url = new URL(`../../data/${name}`, import.meta.url);
	try {
		return await readFile(url);
	} catch (cause) {
		throw new Error(
			`Reading ${url.pathname} of @robot-lab/embeddings-en failed: install the package again, and leave it out of bundles, for its data lie in files.`,
			{ cause },
		);
	}
}
