import { defineConfig, mergeConfig } from "vitest/config";
import { packageTests } from "../../vitest.base.js";

/** One process for all files: they leave nothing behind. */
export default mergeConfig(packageTests(import.meta.url), defineConfig({ test: { isolate: false, maxWorkers: 1 } }));
