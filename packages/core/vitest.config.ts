import { defineConfig } from "vitest/config";
import { packageTests } from "../../vitest.base.js";

/**
 * What leaves nothing behind in the process, which a set-up file looks after: these files share workers, since one for each took more time
 * than most of their tests, and all processors. Not among them is what changes or counts something of the whole process: variables,
 * warnings, memory, modules, time.
 */
const SHARING = [
	"{ask,errors,guard,history,message,options,paths,template,testing,text,tool,value}/*",
	"skill/!(another-user|catalog-watch|links-and-bounds|skill-roots|trust)",
	"threads/!(bus-keep-alive)",
	"document/*",
	"bus/!(bus.properties|dead-letters|handling|misbehaving|queues)",
	"capability/!(intersect)",
	"embedding/!(document-store)",
	"hook/!(chain.properties|failures|register-hook)",
	"markdown/*",
	"memory/!(leaks|listening|semantic-cache|waiting)",
	"model/!(offline-specification)",
	"mcp/{answers,bounded-fetch,options,tool-names,tool-schema}",
	"network/!(memory)",
	"network-file/*",
	"robot/!(log|mcp|robot-options|run|skill-sources|template|tool-callbacks|update|what-the-model-wrote)",
	"process/{find-program,on-abort,output-buffer,until-aborted}",
	"robot/log/!(invariants)",
	"script/*",
	"skill/{agent-skill-catalog,find-bundles,metadata-parameters,parse-skill-file,quoting,validate-skill-text}",
	"{approval,skill-tool}/*",
	"matching/!(embedding-cache|load-embedder)",
	"stream/!(event-queue)",
	"transport/!(serve-events*)",
	"update/!(projection-memory)",
].map((path) => `test/${path}.test.ts`);

/** What measures memory, or how processes end and what they leave alive: others beside it would be in the figures. */
const ALONE = [
	"mcp/endings",
	"memory/leaks",
	"network/memory",
	"process/!(find-program|on-abort|output-buffer|until-aborted)",
	"update/projection-memory",
].map((path) => `test/${path}.test.ts`);

const { include = [], ...common } = packageTests(import.meta.url).test ?? {};
const shared = { include: SHARING, isolate: false, maxWorkers: "100%", setupFiles: ["test/leaves-nothing-behind.ts"] };

export default defineConfig({
	test: {
		...common,
		projects: [
			{ extends: true, test: { name: "sharing", ...shared, sequence: { groupOrder: 0 } } },
			// a worker for each file, and all processors
			{
				extends: true,
				test: { name: "beside", include, exclude: [...SHARING, ...ALONE], maxWorkers: "100%", sequence: { groupOrder: 1 } },
			},
			{ extends: true, test: { name: "alone", include: ALONE, maxWorkers: 1, sequence: { groupOrder: 2 } } },
		],
	},
});
