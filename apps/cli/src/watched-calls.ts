import type { StreamEvent } from "@robot-lab/core";
import type { LiveRegion } from "./live-region.js";
import { RunningCalls } from "./render/running-calls.js";
import type { Style } from "./render/style.js";

const FRAME_MS = 80;

/** What a run waits for, on the screen for as long as it does. */
export interface WatchedCalls {
	event(event: StreamEvent): void;
	/** Draws no more. With its last event a run waits for nothing, and nothing of it is left on the screen. */
	end(): void;
}

/** Draws at every tick; what is over before the next one is never drawn, so that short calls do not flicker. */
export function watchCalls(live: LiveRegion, style: Style): WatchedCalls {
	const calls = new RunningCalls();
	let frame = 0;
	let isShown = false;
	const draw = (): void => {
		const lines = calls.lines({ nowMs: performance.now(), frame, columns: live.columns, style });
		isShown = lines.length > 0;
		live.show(lines);
	};
	const ticker = setInterval(() => {
		frame += 1;
		draw();
	}, FRAME_MS).unref();
	return {
		event: (event) => {
			calls.event(event, performance.now());
			if (isShown && !event.event.endsWith(".delta")) draw();
		},
		end: () => clearInterval(ticker),
	};
}
