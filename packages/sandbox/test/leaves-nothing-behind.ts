import { config } from "@robot-lab/core";
import { afterAll, beforeAll, expect } from "vitest";

/** What test files that share a worker could leave to the next one. */
const stateOfProcess = (): unknown => ({
	directory: process.cwd(),
	variables: { ...process.env },
	listeners: ["warning", "unhandledRejection", "uncaughtException"].map((event) => [event, process.listenerCount(event)]),
	configuration: JSON.stringify(config()),
});

let before: unknown;

beforeAll(() => {
	before = stateOfProcess();
});

afterAll(() => {
	expect(stateOfProcess(), "a file that leaves something behind needs a worker of its own: see vitest.config.ts").toEqual(before);
});
