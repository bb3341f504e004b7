import { configure, reloadConfig } from "@robot-lab/core";
import { afterEach, describe, expect, it } from "vitest";
import "../src/register.js";
import { limitsHere } from "../src/limits/limits-here.js";
import { NOT_ENFORCED } from "../src/strategy/not-enforced.js";
import { sandboxStatus } from "../src/strategy/status.js";
import { noBubblewrap } from "./support/no-bubblewrap.js";
import { standIn } from "./support/stand-in.js";
import { workshop } from "./support/workshop.js";

afterEach(() => {
	reloadConfig();
});

const everything = { fsRead: true, fsWrite: true, network: true, processes: true, environment: true };

describe("sandboxStatus()", () => {
	it("says what a sandbox-exec that passes the probe enforces, what it lets through all the same, and which limits hold", async () => {
		configure({ sandbox: { enabled: true } });
		expect(await sandboxStatus(standIn(workshop()).host)).toEqual({
			installed: true,
			enabled: true,
			strategy: "seatbelt",
			enforced: everything,
			notEnforced: NOT_ENFORCED.seatbelt,
			limits: await limitsHere("darwin", "seatbelt"),
			refuses: false,
		});
	});

	it("claims neither that something is enforced nor that limits hold where a sandbox-exec confines nothing", async () => {
		configure({ sandbox: { enabled: true } });
		const status = await sandboxStatus(standIn(workshop(), 'exec "$@"', "").host);
		expect(status).toMatchObject({ strategy: "seatbelt", refuses: true, notEnforced: [], reason: expect.stringContaining("not denied") });
		expect(Object.values(status.enforced)).not.toContain(true);
		expect(status.limits).toBeUndefined();
	});

	it.skipIf(noBubblewrap !== undefined)(`says the same of bubblewrap (${noBubblewrap ?? "bubblewrap works here"})`, async () => {
		configure({ sandbox: { enabled: true, backend: "bubblewrap" } });
		expect(await sandboxStatus()).toMatchObject({
			enforced: everything,
			notEnforced: NOT_ENFORCED.bubblewrap,
			limits: { outputBytes: true },
		});
	});

	it.each(["seatbelt", "bubblewrap"] as const)(
		"names under %s what it lets through, each thing once, and why in a clause of its own",
		(strategy) => {
			const names = NOT_ENFORCED[strategy].map(({ what }) => what);
			expect(names).toContain("single hosts");
			expect(names.length).toBeGreaterThan(1);
			expect(new Set(names).size).toBe(names.length);
			for (const { what, why } of NOT_ENFORCED[strategy]) {
				expect(what).toMatch(/^\w.*\w$/);
				// Four words at least, no sentence: it comes behind a colon.
				expect(why).toMatch(/^\S+( \S+){3,}[^.\s]$/);
			}
		},
	);
});
