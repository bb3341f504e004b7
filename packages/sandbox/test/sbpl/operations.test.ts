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

	it("ends 18 chains: 14 allowed, 4 denied", () => {
		const ends = [...OPERATIONS].filter(([, last]) => last.terminal);
		expect(ends.filter(([, last]) => last.terminal && last.allowed).map(([name]) => name)).toEqual([
			"darwin-notification-post",
			"dynamic-code-generation",
			"file-clone",
			"file-link",
			"file-map-executable",
			"file-test-existence",
			"iokit-get-properties",
			"mach-cross-domain-lookup",
			"nvram*",
			"process-info*",
			"process-info-codesignature",
			"socket-ioctl",
			"system-privilege",
			"syscall-unix",
		]);
		expect(ends.filter(([, last]) => last.terminal && !last.allowed).map(([name]) => name)).toEqual([
			"default",
			"file-write-setugid",
			"job-creation",
			"storage-class-map",
		]);
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
