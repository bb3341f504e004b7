import assert from "node:assert/strict";
import { assertRefused, type TransportFact, until } from "./bus-transport-party.js";

const DEAD = { state: "dead", attempts: 0 } as const;

/** What becomes of messages when somebody leaves. */
export const END_FACTS: Readonly<Record<string, TransportFact>> = {
	"delivers nothing more to who has unsubscribed, who settles what is there": async (parties) => {
		const [sender, receiver] = [parties.join(), parties.join()];
		const inbox = await receiver.subscribe("critic", 1);
		const said = [1, 2, 3].map((content) => sender.say(sender.message("critic", content)));
		await inbox.has(1);
		await parties.settle();
		inbox.subscription.unsubscribe();
		inbox.subscription.unsubscribe();
		assert.deepEqual(await Promise.all(said.map(({ answer }) => answer)), [1, 1, 1]);
		await until(() => sender.outcomes.length === 2, "two outcomes");
		assert.deepEqual(await receiver.connection.channels(), []);
		assert.equal(await sender.say(sender.message("critic", 4)).answer, 0);
		inbox.at(0).ack();
		await until(() => sender.outcomes.length > 2, "the third outcome");
		await parties.settle();
		assert.deepEqual(sender.outcomes, [
			[said[1]?.message.id, { ...DEAD, reason: "left" }],
			[said[2]?.message.id, { ...DEAD, reason: "left" }],
			[said[0]?.message.id, { state: "acked" }],
		]);
		assert.deepEqual(inbox.contents, [1]);
	},
	"goes on with others of the name when one unsubscribes": async (parties) => {
		const [sender, receiver] = [parties.join(), parties.join()];
		const [leaving, staying] = [await receiver.subscribe("critic", 1), await receiver.subscribe("critic", 1)];
		const said = [1, 2].map((content) => sender.say(sender.message("critic", content)));
		await staying.has(1);
		await leaving.has(1);
		leaving.subscription.unsubscribe();
		assert.deepEqual(await receiver.connection.channels(), ["critic"]);
		staying.at(0).ack();
		assert.deepEqual(await Promise.all(said.map(({ answer }) => answer)), [2, 2]);
		await staying.has(2);
		const anew = await receiver.subscribe("critic");
		staying.at(1).ack();
		await sender.tell("critic", 3);
		await anew.has(1);
		await staying.has(3);
		assert.deepEqual([leaving.contents, staying.contents, anew.contents], [[1], [1, 2, 3], [3]]);
	},
	"is dead for who closes its connection, delivered or waiting, and others go on": async (parties) => {
		const [sender, receiver, other] = [parties.join(), parties.join(), parties.join()];
		const [closing, staying] = [await receiver.subscribe("critic", 2), await other.subscribe("critic", 9)];
		const left = await receiver.subscribe("left", 1);
		const [unsettled] = await sender.tell("left", 0);
		left.subscription.unsubscribe();
		const said = [1, 2, 3].map((content) => sender.say(sender.message("critic", content)));
		await closing.has(2);
		await staying.has(3);
		await left.has(1);
		closing.at(0).ack();
		await closing.has(3);
		await receiver.close();
		closing.at(1).ack();
		closing.at(2).nack({ reason: "nacked", attempts: 1 });
		left.at(0).ack();
		assert.deepEqual(await Promise.all(said.map(({ answer }) => answer)), [2, 2, 2]);
		for (const delivery of staying.deliveries) delivery.ack();
		await until(() => sender.outcomes.length === 7, "seven outcomes");
		await parties.settle();
		const closed = { ...DEAD, reason: "closed" };
		assert.deepEqual(sender.outcomesOf(unsettled ?? sender.message("", "")), [closed]);
		const acked = { state: "acked" };
		const byState = said.map(({ message }) => sender.outcomesOf(message).toSorted((one, other) => one.state.localeCompare(other.state)));
		assert.deepEqual(byState, [
			[acked, acked],
			[acked, closed],
			[acked, closed],
		]);
		assert.equal(await sender.say(sender.message("critic", 4)).answer, 1);
		assert.equal(sender.outcomes.length, 7);
		await closing.has(3);
	},
	"rejects what waits when its own connection closes, and delivers it to nobody more": async (parties) => {
		const [sender, receiver, other] = [parties.join(), parties.join(), parties.join()];
		const inbox = await receiver.subscribe("critic", 1);
		await sender.tell("critic", 1);
		const waiting = sender.say(sender.message("critic", 2));
		const behind = other.say(other.message("critic", 3));
		await parties.settle();
		const closed = sender.close();
		await assertRefused(waiting.answer, "closed");
		await closed;
		await inbox.has(1);
		inbox.at(0).ack();
		assert.equal(await behind.answer, 1);
		await inbox.has(2);
		inbox.at(1).ack();
		await until(() => other.outcomes.length === 1, "the outcome");
		await parties.settle();
		assert.deepEqual(inbox.contents, [1, 3]);
		assert.deepEqual(sender.outcomes, []);
	},
	"tells a connection that closes of its own messages to itself, and then nothing more": async (parties) => {
		const [party, other] = [parties.join(), parties.join()];
		const inbox = await party.subscribe("critic", 2);
		const away = await other.subscribe("other");
		const said = await party.tell("critic", 1, 2);
		const waiting = party.say(party.message("critic", 3));
		await party.tell("other", 4);
		await inbox.has(2);
		await away.has(1);
		const closed = party.close();
		await assertRefused(waiting.answer, "closed");
		await closed;
		const outcome = { ...DEAD, reason: "closed" };
		assert.deepEqual(
			party.outcomes,
			said.map(({ id }) => [id, outcome]),
		);
		away.at(0).ack();
		await other.say(other.message("other", 5, { inReplyTo: "x:1" })).answer;
		await parties.settle();
		assert.deepEqual([party.outcomes.length, party.replies, party.isLost], [2, [], false]);
	},
	"refuses what is asked of a closed connection, and closes it once": async (parties) => {
		const [party, other] = [parties.join(), parties.join()];
		const inbox = await other.subscribe("critic");
		await party.subscribe("party");
		await Promise.all([party.close(), party.close()]);
		await party.close();
		await assertRefused(party.say(party.message("critic", 1)).answer, "closed");
		await assertRefused(party.connection.channels(), "closed");
		const subscription = party.connection.subscribe("party", { capacity: 1, receive: () => {} });
		await assertRefused(subscription.ready, "closed");
		subscription.unsubscribe();
		assert.deepEqual(await other.connection.channels(), ["critic"]);
		await parties.settle();
		assert.deepEqual(inbox.contents, []);
	},
	"tells nobody that a connection is lost which was closed": async (parties) => {
		const [party, other] = [parties.join(), parties.join()];
		await party.close();
		await parties.settle();
		assert.deepEqual([party.isLost, other.isLost], [false, false]);
	},
};
