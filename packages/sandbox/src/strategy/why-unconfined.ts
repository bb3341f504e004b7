import type { SandboxBackend } from "@robot-lab/core";

/** Why Null is what an untrusted bundle's script gets, as a clause: what was asked for, or what the platform has. */
export function whyUnconfined(backend: SandboxBackend, platform: NodeJS.Platform): string {
	if (backend === "none") return 'sandbox.backend is "none"';
	return `sandbox.backend "${backend}" confines on macOS only, and this is ${platform}`;
}
