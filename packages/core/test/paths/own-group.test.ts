import { expect, it } from "vitest";
import { hasOthers, isOwnGroup } from "../../src/paths/own-group.js";

const USERS = "root:x:0:0:root:/root:/bin/sh\nme:x:1000:1000::/home/me:/bin/sh\nyou:x:1001:1001::/home/you:/bin/sh\n";

it.each([
	["nobody is named in it", "me:x:1000:\n", USERS, false],
	["there is no such group in the list, as in many containers", "", "", false],
	["only the user is, by whichever name, and root", "me:x:1000:me,root,also-me\n", `${USERS}also-me:x:1000:1000::/:/bin/sh\n`, false],
	["somebody else is", "me:x:1000:me,you\n", USERS, true],
	["somebody else is whom the list of users does not have", "me:x:1000:www-data\n", USERS, true],
	["the group has another name as well, by which somebody is", "me:x:1000:\nteam:x:1000:you\n", USERS, true],
	["it is somebody else's first group", "me:x:1000:\n", `${USERS}www:x:33:1000::/:/bin/sh\n`, true],
	["somebody is in a group of a like number", "a:x:10000:you\nb:x:100:you\n", USERS, false],
	["lines are no accounts, and end as on Windows", "#me\n+\nme:x:1000:\r\n", `# me\n+::::::\n\n${USERS}`, false],
])("a group with the user's number has others in it or not: %s", (_, groups, users, expected) => {
	expect(hasOthers(1000, 1000, groups, users)).toBe(expected);
});

it.skipIf(process.platform === "win32")("root's group is closed, and one that has another number than the user is not", () => {
	expect([isOwnGroup(0), isOwnGroup((process.geteuid?.() ?? 0) + 100_000)]).toEqual([true, false]);
});
