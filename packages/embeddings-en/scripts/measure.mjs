// What an embedder costs here, after a build: node scripts/measure.mjs hybrid|light. Prints milliseconds and megabytes.
// Processor time beside that of the clock, for a machine that has other work.
const [part = "hybrid"] = process.argv.slice(2);
const TEXTS = [
	"When does my train to the coast leave tomorrow?",
	"Convert this spreadsheet to a PDF and send it to Ada, please",
	"pdf forms. Fills in and reads PDF forms. Use it when somebody has a form to fill in, or wants the fields of one as a table.",
];
const ROUNDS = 200;

const before = process.memoryUsage().rss;
const began = clocks();
const { embedder } = await import(part === "light" ? "../dist/light.js" : "../dist/index.js");
const { id, embed } = embedder();
await embed([TEXTS[0]]);
const cold = since(began);
const loaded = process.memoryUsage().rss;
await embed(Array.from({ length: ROUNDS }, (_, index) => TEXTS[index % TEXTS.length]));
const warm = clocks();
await embed(Array.from({ length: ROUNDS * TEXTS.length }, (_, index) => TEXTS[index % TEXTS.length]));
const each = since(warm, ROUNDS * TEXTS.length);
console.log(`${id} on Node ${process.version}`);
console.log(`import, load and first text: ${cold.clock} ms, of the processors ${cold.processor} ms`);
console.log(`a text: ${each.clock} ms, of the processors ${each.processor} ms`);
const more = (bytes) => ((bytes - before) / 1e6).toFixed(0);
console.log(
	`resident memory: ${more(loaded)} MB more once loaded, ${more(process.memoryUsage().rss)} MB more after ${ROUNDS * (TEXTS.length + 1)} texts`,
);

function clocks() {
	return { clock: performance.now(), processor: process.cpuUsage() };
}

function since({ clock, processor }, count = 1) {
	const { user, system } = process.cpuUsage(processor);
	return { clock: ((performance.now() - clock) / count).toFixed(2), processor: ((user + system) / 1e3 / count).toFixed(2) };
}
