import type { StreamEvent } from "@robot-lab/core";
import type { LiveRegion } from "./live-region.js";
import type { LiveView } from "./render/pieces.js";
import type { Style } from "./render/style.js";

const FRAME_MS = 80;

/** Lines made of a run's events, to be drawn anew. */
export interface LiveLines {
	event(event: StreamEvent, nowMs: number): void;
	/** @param view `rows`: the most lines that can be drawn. */
	lines(view: LiveView & { readonly rows: number }): readonly string[];
}

/** What a run is about, on the screen for as long as it goes on. */
export interface WatchedLines {
	event(event: StreamEvent): void;
	/** Draws no more, and leaves nothing on the screen. */
	end(): void;
}

/** Draws at every tick; what is over before the next one is never drawn, so that short calls do not flicker. */
export function watchLines(live: LiveRegion, style: Style, source: LiveLines): WatchedLines {
	let frame = 0;
	let isShown = false;
	const draw = (): void => {
		const lines = source.lines({ nowMs: performance.now(), frame, columns: live.columns, rows: live.rows, style });
		isShown = lines.length > 0;
		live.show(lines);
	};
	const ticker = setInterval(() => {
		frame += 1;
		draw();
	}, FRAME_MS).unref();
	return {
		event: (event) => {
			source.event(event, performance.now());
			if (isShown && !event.event.endsWith(".delta")) draw();
		},
		end: () => {
			clearInterval(ticker);
			live.show([]);
		},
	};
}
