import { type Config, config, type SandboxBackend } from "@robot-lab/core";

/** A configuration for one backend and the ceiling of one directory. The process's own stays as it is. */
export function settingsFor(backend: SandboxBackend, directory: string): Config {
	return {
		...config(),
		sandbox: {
			enabled: true,
			backend,
			require: true,
			protect: true,
			fsRead: [directory],
			fsWrite: [directory],
			network: true,
			timeout: 60,
			trustCore: [],
			env: "keep",
			envPass: [],
			limits: {},
		},
	};
}
