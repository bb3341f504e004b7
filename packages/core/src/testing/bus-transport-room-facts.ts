import assert from "node:assert/strict";
import type { TransportDelivery } from "../bus/bus-transport.js";
import { type TransportFact, until } from "./bus-transport-party.js";

/** Who waits for room, and for how long. */
export const ROOM_FACTS: Readonly<Record<string, TransportFact>> = {
	"delivers no more at one time than a subscriber has room for, and lets those wait who publish more": async (parties) => {
		const sender = parties.join();
		const inbox = await parties.join().subscribe("critic", 2);
		const said = [1, 2, 3, 4].map((content) => sender.say(sender.message("critic", content)));
		const answered = (): boolean[] => said.map(({ isAnswered }) => isAnswered);
		assert.deepEqual(await Promise.all([said[0]?.answer, said[1]?.answer]), [1, 1]);
		await parties.settle();
		await inbox.has(2);
		assert.deepEqual(answered(), [true, true, false, false]);
		inbox.at(1).ack();
		assert.equal(await said[2]?.answer, 1);
		await parties.settle();
		await inbox.has(3);
		assert.deepEqual(answered(), [true, true, true, false]);
		inbox.at(0).nack({ reason: "nacked", attempts: 1 });
		assert.equal(await said[3]?.answer, 1);
		await inbox.has(4);
		assert.deepEqual(inbox.contents, [1, 2, 3, 4]);
	},
	"delivers at once where there is room, and answers when all have it": async (parties) => {
		const sender = parties.join();
		const [slow, quick] = [await parties.join().subscribe("critic", 1), await parties.join().subscribe("critic", 9)];
		const said = [1, 2].map((content) => sender.say(sender.message("critic", content)));
		assert.equal(await said[0]?.answer, 2);
		await quick.has(2);
		await parties.settle();
		await slow.has(1);
		assert.equal(said[1]?.isAnswered, false);
		slow.at(0).ack();
		assert.equal(await said[1]?.answer, 2);
		await slow.has(2);
	},
	"tells who publishes what has to wait, once, before it is answered, and nothing of what has room, or comes to nobody": async (
		parties,
	) => {
		const [sender, other] = [parties.join(), parties.join()];
		const inboxes = [await other.subscribe("critic", 1), await other.subscribe("critic", 1)];
		await sender.tell("critic", 1);
		const aborted = sender.say(sender.message("critic", 2), AbortSignal.abort());
		await assert.rejects(aborted.answer);
		assert.equal(await sender.say(sender.message("nobody", 3)).answer, 0);
		const said = sender.say(sender.message("critic", 4));
		await until(() => sender.waiting.length > 0, "a message that waits");
		assert.equal(said.isAnswered, false);
		for (const inbox of inboxes) inbox.at(0).ack();
		assert.equal(await said.answer, 2);
		for (const inbox of inboxes) inbox.at(1).ack();
		await sender.tell("critic", 5);
		await parties.settle();
		assert.deepEqual([sender.waiting, other.waiting], [[said.message.id], []]);
	},
	"gives room in the order in which it was asked for, whoever asks": async (parties) => {
		const senders = [parties.join(), parties.join()];
		const inbox = await parties.join().subscribe("critic", 1);
		const said = [];
		for (let number = 0; number < 8; number += 1) {
			const sender = senders[number % 2];
			if (sender !== undefined) said.push(sender.say(sender.message("critic", number)));
			await parties.settle();
		}
		for (let number = 0; number < 8; number += 1) {
			await inbox.has(number + 1);
			inbox.at(number).ack();
		}
		assert.deepEqual(await Promise.all(said.map(({ answer }) => answer)), Array(8).fill(1));
		assert.deepEqual(inbox.contents, [0, 1, 2, 3, 4, 5, 6, 7]);
	},
	"publishes nothing with a signal that is aborted": async (parties) => {
		const sender = parties.join();
		const inbox = await parties.join().subscribe("critic");
		const reason = new Error("enough");
		const said = sender.say(sender.message("critic", 1, { inReplyTo: "critic:1" }), AbortSignal.abort(reason));
		await assert.rejects(said.answer, (error) => error === reason);
		await parties.settle();
		assert.deepEqual([inbox.contents, sender.outcomes, sender.replies], [[], [], []]);
	},
	"gives up what waits when its signal is aborted, and leaves it where it is already": async (parties) => {
		const sender = parties.join();
		const [slow, quick] = [await parties.join().subscribe("critic", 1), await parties.join().subscribe("critic", 9)];
		const aborting = new AbortController();
		const reason = new Error("enough");
		await sender.tell("critic", 1);
		const given = [2, 3].map((content) => sender.say(sender.message("critic", content), aborting.signal));
		const kept = sender.say(sender.message("critic", 4), new AbortController().signal);
		await quick.has(4);
		aborting.abort(reason);
		for (const { answer } of given) await assert.rejects(answer, (error) => error === reason);
		slow.at(0).ack();
		assert.equal(await kept.answer, 2);
		await slow.has(2);
		for (const delivery of [...quick.deliveries, slow.at(1)]) delivery.ack();
		await until(() => sender.outcomes.length === 6, "six outcomes");
		await parties.settle();
		assert.deepEqual(slow.contents, [1, 4]);
		for (const { message } of given) assert.deepEqual(sender.outcomesOf(message), [{ state: "acked" }]);
	},
	"takes nothing back when the signal is aborted behind its answer": async (parties) => {
		const sender = parties.join();
		const inbox = await parties.join().subscribe("critic", 1);
		const aborting = new AbortController();
		const said = [1, 2].map((content) => sender.say(sender.message("critic", content), aborting.signal));
		await inbox.has(1);
		inbox.at(0).ack();
		assert.deepEqual(await Promise.all(said.map(({ answer }) => answer)), [1, 1]);
		aborting.abort();
		await inbox.has(2);
		inbox.at(1).ack();
		await until(() => sender.outcomes.length === 2, "two outcomes");
	},
	"delivers 10,000 messages to a slow one, each once, in order": async (parties) => {
		const sender = parties.join();
		const waiting: TransportDelivery[] = [];
		let most = 0;
		const inbox = await parties.join().subscribe("critic", 10, (delivery) => {
			waiting.push(delivery);
			most = Math.max(most, waiting.length);
			if (waiting.length === 1) setImmediate(handle);
		});
		const handle = (): void => {
			for (const delivery of waiting.splice(0)) delivery.ack();
		};
		const numbers = Array.from({ length: 10_000 }, (_, index) => index);
		const answers = numbers.map((number) => sender.say(sender.message("critic", number)).answer);
		assert.ok((await Promise.all(answers)).every((recipients) => recipients === 1));
		await until(() => sender.outcomes.length >= 10_000, "every outcome");
		await parties.settle();
		assert.deepEqual(inbox.contents, numbers);
		assert.equal(new Set(sender.outcomes.map(([id]) => id)).size, 10_000);
		assert.equal(sender.outcomes.length, 10_000);
		assert.ok(most <= 10, `${most} at one time`);
	},
};
