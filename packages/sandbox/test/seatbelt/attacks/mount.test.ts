import { describe } from "vitest";
import { can, directory } from "../checks/check.js";
import { MOUNTS } from "../checks/outside.js";
import { SCENARIOS } from "../checks/scenarios.js";
import { SCRATCH } from "../pretend-mac.js";
import { itStops } from "./attack.js";

describe.each(SCENARIOS)("mounts, device files, snapshots, another root ($name)", ({ profile }) => {
	itStops({ profile, checks: [...MOUNTS, can("directories can be made", "file-write-create", directory(`${SCRATCH}/m`))] });
});
