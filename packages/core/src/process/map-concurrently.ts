import { TimeSlice } from "./time-slice.js";

/**
 * Maps with at most `limit` calls under way at once. The results are in the items' order; the first rejection rejects. Where calls wait for nothing they
 * do not keep the process: it gives way to everything else every few milliseconds.
 */
export async function mapConcurrently<Item, Result>(
	items: readonly Item[],
	limit: number,
	map: (item: Item) => Promise<Result> | Result,
): Promise<readonly Result[]> {
	const results = new Array<Result>(items.length);
	const remaining = items.entries();
	const slice = new TimeSlice();
	const work = async (): Promise<void> => {
		for (const [index, item] of remaining) {
			while (slice.isOver) await slice.next();
			results[index] = await map(item);
		}
	};
	await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
	return results;
}
