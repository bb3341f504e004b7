/**
 * Does one thing after another in each of several lanes, and answers in the order of the things. `tell` hears of each result as soon as
 * those before it are there, too.
 *
 * Rejects with the first failure, once nothing is under way any more; nothing is begun after it.
 */
export async function inLanes<Lane, Thing, Result>(
	lanes: readonly Lane[],
	things: readonly Thing[],
	{ work, tell }: { readonly work: (thing: Thing, lane: Lane) => Promise<Result>; readonly tell: (result: Result) => void },
): Promise<readonly Result[]> {
	const waiting = [...things.entries()];
	const results = new Map<number, Result>();
	let told = 0;
	const drive = async (lane: Lane): Promise<void> => {
		for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
			const [index, thing] = next;
			results.set(index, await work(thing, lane));
			for (let ready = results.get(told); ready !== undefined; ready = results.get(told)) {
				told += 1;
				tell(ready);
			}
		}
	};
	const ends = await Promise.allSettled(
		lanes.map((lane) =>
			drive(lane).catch((error: unknown) => {
				waiting.length = 0;
				throw error;
			}),
		),
	);
	const failure = ends.find((end) => end.status === "rejected");
	if (failure !== undefined) throw failure.reason;
	return [...results.entries()].sort(([a], [b]) => a - b).map(([, result]) => result);
}
