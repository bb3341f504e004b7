import { mergeConfig } from "vitest/config";
import { packageTests } from "../../vitest.base.js";

// Each test waits for processes of its own and measures no time: all processors may work at them.
export default mergeConfig(packageTests(import.meta.url), { test: { maxWorkers: "100%" } });
