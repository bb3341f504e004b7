import { open } from "node:fs/promises";

const HEAD_BYTES = 64 * 1024;

/** The first 64 KiB of a file as text. */
export async function beginningOf(path: string): Promise<string> {
	const file = await open(path);
	try {
		const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
		return buffer.toString("utf8", 0, bytesRead);
	} finally {
		await file.close();
	}
}
