import { memoryCases } from "./memory-cases.js";
import type { MemorySample } from "./memory-figures.js";

/** Runs one case in a process of its own, which must have been started with --expose-gc, and prints what it held. */
const [name = "", size = ""] = process.argv.slice(2);
const measured = memoryCases[name];
const { gc } = globalThis;
if (measured === undefined || gc === undefined) throw new Error(`child.js --expose-gc needs one of ${Object.keys(memoryCases).join(", ")}`);

// what is made once, code included, is no part of a run
await measured.run(Math.min(...measured.sizes), gc);
await settled();
gc();
const before = process.memoryUsage();
let peakHeap = 0;
let peakRss = 0;
const text = await measured.run(Number(size), () => {
	gc();
	const { heapUsed, rss } = process.memoryUsage();
	peakHeap = Math.max(peakHeap, heapUsed);
	peakRss = Math.max(peakRss, rss);
});
const sample: MemorySample = { peakHeapBytes: peakHeap - before.heapUsed, peakRssBytes: peakRss - before.rss, resultBytes: text.length };
console.log(JSON.stringify(sample));

/** What still waits for its turn, and holds what it was given until then. */
function settled(): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, 20));
}
