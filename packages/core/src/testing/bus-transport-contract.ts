import assert from "node:assert/strict";
import type { BusTransport } from "../bus/bus-transport.js";
import { ARRIVAL_FACTS } from "./bus-transport-arrival-facts.js";
import { DELIVERY_FACTS } from "./bus-transport-delivery-facts.js";
import { END_FACTS } from "./bus-transport-end-facts.js";
import { ContractParties } from "./bus-transport-party.js";
import { ROOM_FACTS } from "./bus-transport-room-facts.js";
import type { ContractRunner } from "./executor-contract.js";

/**
 * The contract of {@link BusTransport} v1 as tests. `make` is called anew for every test, and has to give a transport to which nobody else is connected: a
 * broker or a prefix of its own. Every connection is closed at the end of its test.
 */
export function describeBusTransport(name: string, make: () => BusTransport | Promise<BusTransport>, runner: ContractRunner): void {
	runner.describe(`${name} keeps the contract of BusTransport v1`, () => {
		runner.it("says its version and has a name", async () => {
			const transport = await make();
			assert.equal(transport.specificationVersion, "v1");
			assert.match(transport.name, /\S/);
		});
		for (const [title, fact] of Object.entries({ ...DELIVERY_FACTS, ...ROOM_FACTS, ...ARRIVAL_FACTS, ...END_FACTS })) {
			runner.it(title, async () => {
				await using parties = new ContractParties(await make());
				await fact(parties);
			});
		}
	});
}
