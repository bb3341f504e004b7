import { memoryCases } from "./memory-cases.js";
import type { MemorySample } from "./memory-figures.js";

/** Runs one case in a process of its own, which must have been started with --expose-gc, and prints what it held. */
const [name = "", size = ""] = process.argv.slice(2);
const measured = memoryCases[name];
const { gc } = globalThis;
if (measured === undefined || gc === undefined) throw new Error(`child.js --expose-gc needs one of ${Object.keys(memoryCases).join(", ")}`);

// what is made once, code included, is no part of a run
await measured.run(Math.min(...measured.sizes), gc);
// twice, since buffers are given back some time after the objects that they belong to
for (let time = 0; time < 2; time += 1) {
	await settled();
	gc();
}
const before = process.memoryUsage();
let peakHeld = 0;
let peakRss = 0;
const text = await measured.run(Number(size), () => {
	gc();
	const now = process.memoryUsage();
	peakHeld = Math.max(peakHeld, heldBytes(now));
	peakRss = Math.max(peakRss, now.rss);
});
const sample: MemorySample = { peakHeldBytes: peakHeld - heldBytes(before), peakRssBytes: peakRss - before.rss, resultBytes: text.length };
console.log(JSON.stringify(sample));

/** Objects, and the buffers beside them, in which instructions and vectors lie. */
function heldBytes({ heapUsed, external }: NodeJS.MemoryUsage): number {
	return heapUsed + external;
}

/** What still waits for its turn, and holds what it was given until then. */
function settled(): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, 20));
}
