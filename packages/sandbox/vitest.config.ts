import { defineConfig } from "vitest/config";
import { packageTests } from "../../vitest.base.js";

/** Text in, text out: no file can leave another anything, so they share workers. One for each file took more time than their tests. */
const OF_TEXT = ["test/sbpl/*", "test/seatbelt/attacks/*", "test/seatbelt/{grants,mutants,profile,profile-properties}"].map(
	(path) => `${path}.test.ts`,
);

/** What holds processes to limits, kills them or looks for what is left of them: others beside it would be in the figures. */
const ALONE = ["test/executor-*", "test/limits/*", "test/bubblewrap/attacks/{death-of-the-host,fork-storm,survivors}"].map(
	(path) => `${path}.test.ts`,
);

const { include = [], ...common } = packageTests(import.meta.url).test ?? {};

export default defineConfig({
	test: {
		...common,
		projects: [
			{ extends: true, test: { name: "text", include: OF_TEXT, isolate: false, maxWorkers: "100%", sequence: { groupOrder: 0 } } },
			{
				extends: true,
				test: { name: "processes", include, exclude: [...OF_TEXT, ...ALONE], maxWorkers: "100%", sequence: { groupOrder: 1 } },
			},
			{ extends: true, test: { name: "alone", include: ALONE, maxWorkers: 1, sequence: { groupOrder: 2 } } },
		],
	},
});
