import { defineConfig } from "vitest/config";
import { packageTests } from "../../vitest.base.js";

/** What leaves nothing behind in the process, which a set-up file looks after: these share workers. One for each file took more time than their tests. */
const SHARING = [
	"bubblewrap/{arguments,interpreters,mount-plan,notes,reports}",
	"bubblewrap/attacks/!(death-of-the-host|environment|fork-storm|survivors)",
	"bubblewrap/seccomp/*",
	"grant/*",
	"sbpl/*",
	"seatbelt/attacks/*",
	"seatbelt/{grants,mutants,profile,profile-properties}",
].map((path) => `test/${path}.test.ts`);

/** What holds processes to limits, or fills a computer with them: others beside it would be in the figures. What looks for processes by names of its own waits beside others. */
const ALONE = ["test/executor-*", "test/limits/*", "test/bubblewrap/attacks/{death-of-the-host,fork-storm}"].map(
	(path) => `${path}.test.ts`,
);

const { include = [], ...common } = packageTests(import.meta.url).test ?? {};
const shared = { include: SHARING, isolate: false, maxWorkers: "100%", setupFiles: ["test/leaves-nothing-behind.ts"] };

export default defineConfig({
	test: {
		...common,
		projects: [
			{ extends: true, test: { name: "sharing", ...shared, sequence: { groupOrder: 0 } } },
			{
				extends: true,
				test: { name: "processes", include, exclude: [...SHARING, ...ALONE], maxWorkers: "100%", sequence: { groupOrder: 1 } },
			},
			{ extends: true, test: { name: "alone", include: ALONE, maxWorkers: 1, sequence: { groupOrder: 2 } } },
		],
	},
});
