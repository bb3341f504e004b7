import { expect, it } from "vitest";
import { randomUuid } from "../../src/stream/random-uuid.js";

it("A thousand random UUIDs are of version 4 and all different, with every digit in every place that is free", () => {
	const ids = Array.from({ length: 1_000 }, randomUuid);
	expect(new Set(ids).size).toBe(1_000);
	for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
	const digitsAt = Array.from({ length: 36 }, (_, place) => new Set(ids.map((id) => id[place])).size);
	expect(digitsAt).toEqual(
		[..."########-####-1###-4###-############"].map((digit) => (digit === "#" ? 16 : digit === "-" ? 1 : Number(digit))),
	);
});
