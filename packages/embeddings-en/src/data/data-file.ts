import { open, readFile } from "node:fs/promises";

/** A file of this package's data/. Rejects with an error that names it and says what to do. */
export const readDataFile = (name: string): Promise<Buffer> => reading(name, (url) => readFile(url));

/** The same, into the beginning of what `allocate` makes for so many bytes. */
export const readDataFileInto = (name: string, allocate: (bytes: number) => Uint8Array): Promise<void> =>
	reading(name, async (url) => {
		await using file = await open(url);
		const { size } = await file.stat();
		const target = allocate(size);
		for (let read = 0; read < size; ) {
			const { bytesRead } = await file.read(target, read, size - read, read);
			if (bytesRead === 0) throw new Error(`it ends after ${read} of ${size} bytes`);
			read += bytesRead;
		}
	});

async function reading<T>(name: string, read: (url: URL) => Promise<T>): Promise<T> {
	const url = new URL(`../../data/${name}`, import.meta.url);
	try {
		return await read(url);
	} catch (cause) {
		throw new Error(
			`Reading ${url.pathname} of @robot-lab/embeddings-en failed: install the package again, and leave it out of bundles, for its data lie in files.`,
			{ cause },
		);
	}
}
