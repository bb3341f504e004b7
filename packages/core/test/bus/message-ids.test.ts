import { expect, test } from "vitest";
import { MessageIds } from "../../src/bus/message-ids.js";

test("the ids of messages are the whole numbers from 1 on, beyond the first thousands, too", () => {
	const ids = new MessageIds();
	expect(Array.from({ length: 12_000 }, () => ids.next())).toEqual(Array.from({ length: 12_000 }, (_, place) => `${place + 1}`));
});
