/** A duration as people read it. */
export function duration(milliseconds: number): string {
	return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
