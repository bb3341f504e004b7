/** A task of a graph, by its place in it. */
export interface GraphTask {
	readonly name: string;
	/** Names of tasks of the layer before. */
	readonly dependencies: readonly string[];
}

/** Tasks in layers, of which each depends on the one before: a graph for those who know dependencies, and for those who know layers alone. */
export type TaskGraph = readonly (readonly GraphTask[])[];

/** One after the other. */
export const chain = (length: number): TaskGraph => layered(length, 1, 1);

/** All at once, and nothing behind them. */
export const fanOut = (width: number): TaskGraph => layered(1, width, 0);

/** @param fanIn How many of the layer before each task depends on. */
export function layered(layers: number, width: number, fanIn: number): TaskGraph {
	return places(layers).map((layer) =>
		places(width).map((place) => ({
			name: nameOf(layer, place),
			dependencies: layer === 0 ? [] : places(fanIn).map((step) => nameOf(layer - 1, (place + step * SPREAD) % width)),
		})),
	);
}

/** Neighbours share some of what they depend on, and not all. */
const SPREAD = 7;

const nameOf = (layer: number, place: number): string => `task-${layer}-${place}`;

const places = (count: number): readonly number[] => Array.from({ length: count }, (_, place) => place);
