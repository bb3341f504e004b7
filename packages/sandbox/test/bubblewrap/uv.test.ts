import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { noBubblewrap } from "../support/no-bubblewrap.js";
import { put } from "../support/workshop.js";
import { arena } from "./arena.js";

/** Stands in for uv: fills its cache, as uv does before it starts a script, then runs the script. */
const UV = `#!/bin/bash
cache="\${UV_CACHE_DIR:-$HOME/.cache/uv}"
mkdir -p "$cache/wheels" && touch "$cache/wheels/own" && echo "cache of $(ls "$cache/wheels" | wc -l) in $cache" || echo "no cache"
exec bash "\${@: -1}"
`;

describe.skipIf(noBubblewrap !== undefined)(`uv under bubblewrap (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("has a cache of its own for each run, and not the user's, which scripts could fill for each other", async () => {
		const place = arena();
		const home = join(place.directory, "home");
		put(join(home, ".local/bin/uv"), UV, 0o755);
		put(join(home, ".cache/uv/wheels/shared"), "of another script\n");
		vi.stubEnv("HOME", home);
		vi.stubEnv("PATH", `${join(home, ".local/bin")}:/usr/bin:/bin`);
		try {
			const ask = { interpreter: "uv", grant: { network: true } };
			const attack = 'echo ran; touch "$HOME/.cache/uv/wheels/poison" 2>/dev/null && echo poisoned; true';
			expect((await place.unconfined(attack, ask)).output).toBe(`cache of 2 in ${home}/.cache/uv\nran\npoisoned\n`);
			for (const round of [1, 2]) {
				const { output, refusal, confinement } = await place.confined(attack, ask);
				expect({ round, refusal, confinement }).toEqual({ round, refusal: undefined, confinement: "bubblewrap" });
				expect(output).toMatch(/^cache of 1 in \S*robot-lab-run-\S*\/uv\nran\n$/);
			}
		} finally {
			vi.unstubAllEnvs();
		}
	});
});
