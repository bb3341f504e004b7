import type { Robot } from "@robot-lab/core";

/** The robot, with nothing remembered of its earlier runs. */
export function fresh(robot: Robot): Robot {
	robot.clearMessages();
	return robot;
}

/** Runs take microseconds: a sample is many, one after the other. */
export async function times(count: number, run: () => Promise<unknown>): Promise<void> {
	for (let i = 0; i < count; i++) await run();
}

/** Functions that count what they are told, as cheap as any. `heard()` says how much that was since it was last asked. */
export function counters(count: number): { readonly listeners: readonly (() => void)[]; readonly heard: () => number } {
	let total = 0;
	const listeners = Array.from({ length: count }, () => (): void => {
		total++;
	});
	return {
		listeners,
		heard: () => {
			const heard = total;
			total = 0;
			return heard;
		},
	};
}
