/** Maps with at most `limit` calls under way at once. The results are in the items' order; the first rejection rejects. */
export async function mapConcurrently<Item, Result>(
	items: readonly Item[],
	limit: number,
	map: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
	const results = new Array<Result>(items.length);
	const remaining = items.entries();
	const work = async (): Promise<void> => {
		for (const [index, item] of remaining) results[index] = await map(item);
	};
	await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
	return results;
}
