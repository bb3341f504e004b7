import { defineConfig } from "vitest/config";
import { packageTests } from "../../vitest.base.js";

/** Text in, text out: no file can leave another anything, so they share workers. One for each file took more time than their tests. */
const OF_TEXT = ["test/sbpl/*", "test/seatbelt/attacks/*", "test/seatbelt/{grants,mutants,profile,profile-properties}"].map(
	(path) => `${path}.test.ts`,
);
const { include = [], ...common } = packageTests(import.meta.url).test ?? {};

export default defineConfig({
	test: {
		...common,
		projects: [
			{ extends: true, test: { name: "text", include: OF_TEXT, isolate: false, maxWorkers: "100%", sequence: { groupOrder: 0 } } },
			{ extends: true, test: { name: "processes", include, exclude: OF_TEXT, sequence: { groupOrder: 1 } } },
		],
	},
});
