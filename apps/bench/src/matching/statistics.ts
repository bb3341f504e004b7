import { numbers } from "../benchmarks/many-skills.js";

/** A figure and where it lies in 95 of 100 samples that are drawn from the same messages. */
export interface Estimate {
	readonly value: number;
	readonly low: number;
	readonly high: number;
}

const SAMPLES = 2_000;
const SEED = 7;

/** Bootstrap by percentiles, with a fixed seed. Not a number for no items. */
export function estimate<Item>(items: readonly Item[], statistic: (items: readonly Item[]) => number): Estimate {
	const next = numbers(SEED);
	const drawn = Array.from({ length: SAMPLES }, () => statistic(items.map(() => items[Math.floor(next() * items.length)] as Item))).sort(
		(one, other) => one - other,
	);
	const at = (share: number): number => drawn[Math.floor(share * (SAMPLES - 1))] ?? Number.NaN;
	return { value: statistic(items), low: at(0.025), high: at(0.975) };
}

export const mean = <Item>(items: readonly Item[], numberOf: (item: Item) => number): number =>
	items.reduce((sum, item) => sum + numberOf(item), 0) / items.length;

export const share = <Item>(items: readonly Item[], isOne: (item: Item) => boolean): number => mean(items, (item) => (isOne(item) ? 1 : 0));

/** How often a value of `positives` is above one of `negatives`, equal ones counting half. Not a number where one of them is empty. */
export function auroc(positives: readonly number[], negatives: readonly number[]): number {
	let sum = 0;
	for (const positive of positives) {
		for (const negative of negatives) sum += positive > negative ? 1 : positive === negative ? 0.5 : 0;
	}
	return sum / (positives.length * negatives.length);
}
