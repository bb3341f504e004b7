import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../../src/sbpl/operations.js";

/** Pinned from the operation table of macOS 10.15. It may change only together with evidence from a newer system. */
describe("OPERATIONS", () => {
	it("holds 145 operations, each with a way to an answer", () => {
		expect(OPERATIONS.size).toBe(145);
		for (const start of OPERATIONS.keys()) {
			const seen = new Set<string>();
			let operation = start;
			for (let last = OPERATIONS.get(operation); !last?.terminal; last = OPERATIONS.get(operation)) {
				expect(last, `${operation} on the way from ${start}`).toBeDefined();
				expect(seen.has(operation)).toBe(false);
				seen.add(operation);
				operation = last?.terminal === false ? last.fallback : "";
			}
		}
	});

	it("is the table that was read out of macOS 10.15, and nothing else", () => {
		const lines = readFileSync(new URL("../fixtures/operations-10.15.txt", import.meta.url), "utf8").split("\n");
		const facts = lines.filter((line) => line !== "" && !line.startsWith(";"));
		const ours = [...OPERATIONS].map(([name, last]) =>
			last.terminal ? `${name} = ${last.allowed ? "allowed" : "denied"}` : `${name} -> ${last.fallback}`,
		);
		expect(facts).toHaveLength(145);
		expect(ours.toSorted()).toEqual(facts.toSorted());
	});

	it.each([
		["file-write-create", ["file-write*", "file*", "default"]],
		["file-mount-update", ["file-mount", "file*", "default"]],
		["network-bind", ["network-inbound", "network*", "default"]],
		["ipc-posix-shm-write-create", ["ipc-posix-shm-write*", "ipc-posix-shm*", "ipc-posix*", "ipc*", "default"]],
		["managed-preference-read", ["user-preference-read", "user-preference*", "default"]],
		["process-exec-interpreter", ["process-exec*", "process*", "default"]],
		["process-info-pidinfo", ["process-info*"]],
		["mach-priv-task-port", ["mach-priv*", "mach*", "default"]],
	])("%s asks %j in turn", (operation, chain) => {
		const asked: string[] = [];
		for (let last = OPERATIONS.get(operation); last?.terminal === false; last = OPERATIONS.get(last.fallback)) asked.push(last.fallback);
		expect(asked).toEqual(chain);
	});
});
