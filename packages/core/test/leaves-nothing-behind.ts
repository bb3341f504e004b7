import { afterAll, beforeAll, expect } from "vitest";
import { config } from "../src/config/configure.js";
import { globalHooks } from "../src/hook/register-hook.js";

/** What test files that share a worker could leave to the next one, besides warnings that come once in a process. */
const stateOfProcess = (): unknown => ({
	directory: process.cwd(),
	variables: { ...process.env },
	// libraries that are loaded for the first time keep their registries below such names
	globals: Object.keys(globalThis).filter((name) => !name.startsWith("__")),
	listeners: ["warning", "unhandledRejection", "uncaughtException"].map((event) => [event, process.listenerCount(event)]),
	configuration: JSON.stringify(config()),
	hooks: globalHooks().length,
});

let before: unknown;

beforeAll(() => {
	before = stateOfProcess();
});

afterAll(() => {
	expect(stateOfProcess(), "a file that leaves something behind needs a worker of its own: see vitest.config.ts").toEqual(before);
});
