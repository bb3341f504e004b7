import type { SandboxStatus } from "@robot-lab/sandbox";
import { expect, it } from "vitest";
import { confining } from "../../src/mcp/confine-server.js";

const status = { strategy: "bubblewrap", refuses: false } as SandboxStatus;

it("a server starts where its scripts are confined, and where they would not run says what to do", () => {
	expect(confining(status)).toBe(status);
	expect(() => confining({ ...status, refuses: true, reason: "bwrap is not installed" })).toThrow(
		/^Nothing can confine scripts here \(bwrap is not installed\).* Install bubblewrap .*--no-sandbox\.$/,
	);
});
