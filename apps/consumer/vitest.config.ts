import { mergeConfig } from "vitest/config";
import { packageTests } from "../../vitest.base.js";

// These tests pack, install and compile: minutes on a busy machine.
export default mergeConfig(packageTests(import.meta.url), { test: { testTimeout: 120_000 } });
