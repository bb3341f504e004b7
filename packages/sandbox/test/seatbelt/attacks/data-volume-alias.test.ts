import { describe } from "vitest";
import { canRead } from "../checks/check.js";
import { DATA_VOLUME } from "../checks/outside.js";
import { SCENARIOS } from "../checks/scenarios.js";
import { itStops } from "./attack.js";

/** As profiles of others are made: (subpath "/System") holds the user's whole disk once more. Here a base rule comes to say so too. */
const opened = (profile: string): string =>
	profile.replace('(allow file-read* (subpath "/System/Library"))', '(allow file-read* file-write* (subpath "/System"))');

describe.each(SCENARIOS)("the user's disk as /System/Volumes/Data ($name)", ({ profile }) => {
	const reads = DATA_VOLUME.filter(({ operation }) => operation.startsWith("file-read"));
	const control = opened(profile).replace(/\(deny file-read\* \(subpath "\/System\/Volumes\/Data"\)\)/, "");
	itStops({ profile, checks: [...DATA_VOLUME, canRead("/System/Library/Frameworks/x")], control });
	describe("should a rule come to cover it", () => {
		itStops({ profile: opened(profile), checks: reads });
	});
});
