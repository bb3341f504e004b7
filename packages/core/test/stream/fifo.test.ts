import fc from "fast-check";
import { expect, it } from "vitest";
import { Fifo } from "../../src/stream/fifo.js";

it("Fifo is a list whose first can be taken, however it is used", () => {
	const step = fc.oneof(
		{ weight: 4, arbitrary: fc.nat(9) },
		{ weight: 3, arbitrary: fc.constant("shift" as const) },
		{ weight: 1, arbitrary: fc.constantFrom("clear" as const, "replace" as const) },
	);
	fc.assert(
		fc.property(fc.array(fc.nat(9), { maxLength: 100 }), fc.array(step, { maxLength: 300 }), (first, steps) => {
			const fifo = new Fifo(first);
			let model = [...first];
			for (const each of steps) {
				if (each === "shift") expect(fifo.shift()).toBe(model.shift());
				else if (each === "clear") {
					fifo.clear();
					model = [];
				} else if (each === "replace") {
					fifo.replace((items) => [...items].reverse());
					model.reverse();
				} else {
					fifo.push(each);
					model.push(each);
				}
				expect([fifo.size, fifo.at(0), fifo.at(model.length - 1), fifo.at(model.length)]).toEqual([
					model.length,
					model[0],
					model.at(-1),
					undefined,
				]);
				expect(fifo.slice(1, 3)).toEqual(model.slice(1, 4));
			}
		}),
	);
});
