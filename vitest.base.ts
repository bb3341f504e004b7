import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";

/** The one test set-up of every package: real processes need time, and every run leaves a JSON report that the summary adds up. */
export function packageTests(configUrl: string): ViteUserConfig {
	const root = fileURLToPath(new URL(".", configUrl));
	return defineConfig({
		test: {
			root,
			include: ["test/**/*.test.ts"],
			// A forgotten `only` must not pass for the whole.
			allowOnly: process.env.CI === undefined,
			testTimeout: 60_000,
			hookTimeout: 60_000,
			reporters: ["default", "json"],
			outputFile: { json: `${root}.reports/tests.json` },
		},
	});
}
