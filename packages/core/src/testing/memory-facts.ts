import assert from "node:assert/strict";
import type { Json } from "../json/json-values.js";
import type { MemoryBackend } from "../memory/memory-backend.js";

/** Of every kind, and those that a store of texts, of numbers or of objects may take for something else. */
const VALUES: readonly Json[] = [
	null,
	true,
	false,
	0,
	-1.5e-7,
	Number.MAX_SAFE_INTEGER,
	Number.MAX_VALUE,
	"",
	"null",
	"1",
	'{"a":1}',
	"'; DROP TABLE memory; --",
	"line\r\nline\u0000\u2028",
	"🤖 é e\u0301 \ud800",
	"x".repeat(100_000),
	[],
	{},
	[null, [[]], { a: [] }],
	{ "": 0, "a.b": { $c: [1, "2"] }, toString: "x", constructor: null },
	JSON.parse('{"__proto__":{"admin":true}}'),
];

/** Texts that a store may take for something else, or for each other. */
const KEYS: readonly string[] = [
	"b",
	"B",
	"a",
	"",
	" ",
	"10",
	"9",
	"__proto__",
	"constructor",
	"toString",
	"../up",
	"a/b",
	"a:b",
	"a*",
	"?",
	"%",
	"_",
	"'\"`",
	"a\nb",
	"\u0000",
	"é",
	"e\u0301",
	"🤖",
	"results",
	"x".repeat(2_000),
	"x".repeat(2_001),
];

/** What every backend does. Each is given one without any key. */
export const MEMORY_FACTS: Readonly<Record<string, (backend: MemoryBackend) => void>> = {
	"has nothing before anything was written": (backend) => {
		assert.deepEqual(backend.keys(), []);
		for (const key of KEYS) assert.equal(backend.read(key), undefined, `read(${JSON.stringify(key)})`);
	},
	"gives every kind of value back as it was, each time": (backend) => {
		for (const [index, value] of VALUES.entries()) backend.write(`${index}`, value);
		for (const _ of ["once", "again"]) {
			for (const [index, value] of VALUES.entries()) assert.deepEqual(backend.read(`${index}`), value);
		}
		assert.equal(backend.keys().length, VALUES.length);
	},
	"gives what was written last": (backend) => {
		for (const value of [...VALUES, ...VALUES.toReversed()]) {
			backend.write("a", value);
			assert.deepEqual(backend.read("a"), value);
		}
		assert.deepEqual(backend.keys(), ["a"]);
	},
	"takes any text for a key, and none for another": (backend) => {
		for (const [index, key] of KEYS.entries()) backend.write(key, index);
		assert.deepEqual(backend.keys(), KEYS);
		for (const [index, key] of KEYS.entries()) assert.equal(backend.read(key), index, `read(${JSON.stringify(key)})`);
		assert.equal(Reflect.get({}, "admin"), undefined);
	},
	"names keys in the order in which they came, and one that was gone behind the others": (backend) => {
		for (const key of ["b", "10", "a", "9"]) backend.write(key, 1);
		backend.write("b", 2);
		assert.deepEqual(backend.keys(), ["b", "10", "a", "9"]);
		backend.remove("10");
		backend.write("10", 3);
		assert.deepEqual(backend.keys(), ["b", "a", "9", "10"]);
	},
	"forgets what is removed, and nothing else": (backend) => {
		for (const key of KEYS) backend.write(key, null);
		for (const [index, key] of KEYS.entries()) {
			backend.remove(key);
			assert.equal(backend.read(key), undefined, `read(${JSON.stringify(key)})`);
			assert.deepEqual(backend.keys(), KEYS.slice(index + 1));
		}
	},
	"does not mind removing what is not there": (backend) => {
		backend.remove("a");
		backend.write("b", 1);
		backend.remove("a");
		assert.deepEqual([backend.keys(), backend.read("b")], [["b"], 1]);
	},
	"does not mind being changed while its keys are read": (backend) => {
		for (const key of ["a", "b", "c"]) backend.write(key, 1);
		const seen: string[] = [];
		for (const key of backend.keys()) {
			seen.push(key);
			backend.remove(key);
			backend.write(`${key} anew`, 2);
		}
		assert.deepEqual(
			[seen, backend.keys()],
			[
				["a", "b", "c"],
				["a anew", "b anew", "c anew"],
			],
		);
	},
	"keeps a thousand keys apart": (backend) => {
		const keys = Array.from({ length: 1_000 }, (_, index) => `key ${index}`);
		for (const key of keys) backend.write(key, { key });
		assert.deepEqual(backend.keys(), keys);
		for (const key of keys) assert.deepEqual(backend.read(key), { key });
	},
};
