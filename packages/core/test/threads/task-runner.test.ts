import { Worker } from "node:worker_threads";
import { afterAll, describe, it } from "vitest";
import { describeTaskRunner } from "../../src/testing/task-runner-contract.js";
import { ThreadTaskRunner } from "../../src/threads/task-thread-runner.js";

// one for all: to start one costs more than all that is asked of it
const worker = new Worker(new URL("fixtures/task-robots.mjs", import.meta.url));
const runner = new ThreadTaskRunner({ worker });
afterAll(() => worker.terminate());

describeTaskRunner("ThreadTaskRunner", () => ({ runner, robot: (name) => runner.robot(name) }), { describe, it });
