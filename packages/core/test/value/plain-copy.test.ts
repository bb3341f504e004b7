import { expect, it } from "vitest";
import { plainCopy } from "../../src/value/plain-copy.js";

it("plainCopy() copies lists and plain records to the bottom, and leaves the rest as it is", () => {
	const call = () => 1;
	const date = new Date(0);
	const given = { a: [{ b: 1 }, null, undefined], call, date, map: new Map(), none: Object.assign(Object.create(null), { c: [1] }) };
	const copy = plainCopy(given);
	expect(copy).toEqual(given);
	expect([copy.call, copy.date, copy.map]).toEqual([call, date, given.map]);
	expect(copy.date).toBe(date);
	expect(copy.map).toBe(given.map);
	given.a.push({ b: 2 });
	given.none.c.push(2);
	Object.assign(given.a[0] ?? {}, { b: 3 });
	expect(copy.a).toEqual([{ b: 1 }, null, undefined]);
	expect(copy.none).toEqual({ c: [1] });
});

it("plainCopy() copies what refers to itself, and a key that is a prototype elsewhere", () => {
	const given: Record<string, unknown> = JSON.parse('{"__proto__": {"isAdmin": true}}');
	given.self = given;
	const copy = plainCopy(given);
	expect(copy.self).toBe(copy);
	expect(copy).not.toBe(given);
	expect(Object.keys(copy)).toEqual(["__proto__", "self"]);
	expect(copy.isAdmin).toBeUndefined();
});
