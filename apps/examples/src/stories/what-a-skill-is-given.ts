// A skill asks, the ceiling limits, the grant is what both allow.
import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import { Capabilities } from "@robot-lab/core";

const asked = Capabilities.fromFrontMatter({ fs_read: [".", "/etc"], fs_write: ["/tmp/report"], network: "yes", timeout: 300 });
const ceiling = new Capabilities({ fsRead: ["."], timeout: 60 });
const grant = asked.intersect(ceiling);

assert.deepEqual(grant.fsRead, [realpathSync(".")]);
assert.deepEqual(grant.fsWrite, []);
assert.equal(grant.network, false);
assert.equal(grant.timeout, 60);
assert.deepEqual(
	grant.refused.map(({ field, path }) => `${field} ${path}`.trim()),
	["fsRead /etc", "fsWrite /tmp/report", "network"],
);
for (const { field, path, reason } of grant.refused) console.log(`refused: ${field} ${path} (${reason})`);
