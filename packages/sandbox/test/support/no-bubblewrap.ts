import { probeBubblewrap } from "../../src/bubblewrap/probe.js";

const probe = await probeBubblewrap();

/** Why tests of real confinement by bubblewrap are skipped here; `undefined` where they run. With REQUIRE_CONFINEMENT=1 they fail instead. */
export const noBubblewrap: string | undefined = probe.ok ? undefined : probe.message;

if (noBubblewrap !== undefined && process.platform === "linux" && process.env.REQUIRE_CONFINEMENT === "1") {
	throw new Error(`REQUIRE_CONFINEMENT=1, but bubblewrap does not confine here: ${noBubblewrap}`);
}
