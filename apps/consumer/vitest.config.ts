import { mergeConfig } from "vitest/config";
import { packageTests } from "../../vitest.base.js";

// These tests install and compile, minutes on a busy machine, and measure no time: all processors may work at them.
export default mergeConfig(packageTests(import.meta.url), {
	test: { testTimeout: 120_000, maxWorkers: "100%", globalSetup: "test/pack-once.ts" },
});
