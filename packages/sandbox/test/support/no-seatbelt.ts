import { probeSeatbelt } from "../../src/seatbelt/probe.js";
import { SANDBOX_EXEC } from "../../src/seatbelt/seatbelt.js";

const probe = process.platform === "darwin" ? await probeSeatbelt(SANDBOX_EXEC) : undefined;

/** Why tests of real confinement by Seatbelt are skipped here; `undefined` where they run. With REQUIRE_CONFINEMENT=1 a Mac fails instead. */
export const noSeatbelt: string | undefined =
	probe === undefined ? `Seatbelt exists on macOS only, and this is ${process.platform}` : probe.ok ? undefined : probe.message;

if (probe?.ok === false && process.env.REQUIRE_CONFINEMENT === "1") {
	throw new Error(`REQUIRE_CONFINEMENT=1, but Seatbelt does not confine here: ${probe.message}`);
}
