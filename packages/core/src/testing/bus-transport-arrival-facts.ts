import assert from "node:assert/strict";
import { assertRefused, type ContractParty, type TransportFact } from "./bus-transport-party.js";

/** Waits, and does not wait for it. */
const wait = (party: ContractParty, channel: string, signal?: AbortSignal): { readonly promise: Promise<void>; isOver: boolean } => {
	const waiting = { promise: Promise.resolve(party.connection.untilSubscribed(channel, signal)), isOver: false };
	const end = (): void => {
		waiting.isOver = true;
	};
	waiting.promise.then(end, end);
	return waiting;
};

/** Who waits until somebody is there. */
export const ARRIVAL_FACTS: Readonly<Record<string, TransportFact>> = {
	"waits until somebody has subscribed to a channel, and for nobody else": async (parties) => {
		const [asker, other, receiver] = [parties.join(), parties.join(), parties.join()];
		const waiting = [wait(asker, "critic"), wait(other, "critic"), wait(asker, "critic", new AbortController().signal)];
		const others = wait(asker, "Critic");
		await receiver.subscribe("other");
		await parties.settle();
		assert.deepEqual(
			[...waiting, others].map(({ isOver }) => isOver),
			[false, false, false, false],
		);
		await receiver.subscribe("critic");
		await Promise.all(waiting.map(({ promise }) => promise));
		await parties.settle();
		assert.equal(others.isOver, false);
		await receiver.subscribe("Critic");
		await others.promise;
	},
	"waits for nothing where somebody has subscribed, on whichever connection, and anew when all have left": async (parties) => {
		const [asker, receiver] = [parties.join(), parties.join()];
		const inboxes = [await receiver.subscribe("critic"), await asker.subscribe("critic")];
		await asker.connection.untilSubscribed("critic");
		inboxes[0]?.subscription.unsubscribe();
		await asker.connection.untilSubscribed("critic");
		inboxes[1]?.subscription.unsubscribe();
		const waiting = wait(asker, "critic");
		await parties.settle();
		assert.equal(waiting.isOver, false);
		await receiver.subscribe("critic");
		await waiting.promise;
		assert.equal(await asker.say(asker.message("critic", 1)).answer, 1);
	},
	"waits no longer than its signal and its connection": async (parties) => {
		const [asker, leaving, receiver] = [parties.join(), parties.join(), parties.join()];
		const aborting = new AbortController();
		const reason = new Error("enough");
		await assert.rejects(wait(asker, "critic", AbortSignal.abort(reason)).promise, (error) => error === reason);
		const given = wait(asker, "critic", aborting.signal);
		const kept = wait(asker, "critic");
		const left = wait(leaving, "critic");
		await parties.settle();
		aborting.abort(reason);
		await assert.rejects(given.promise, (error) => error === reason);
		const closed = leaving.close();
		await assertRefused(left.promise, "closed");
		await closed;
		await assertRefused(wait(leaving, "critic").promise, "closed");
		await parties.settle();
		assert.equal(kept.isOver, false);
		await receiver.subscribe("critic");
		await kept.promise;
	},
};
