import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { hasConverged, similarity } from "../../src/guard/convergence.js";

const DRAFT = "The robot counts the red apples in the basket every morning.";
const REWORDED = "Every morning, the robots count red apples in baskets!";
const OTHER = "Quarterly revenue rose by four percent against all forecasts.";

describe("similarity()", () => {
	it("is 1 for texts that differ in the forms and the order of their words, 0 for ones with nothing in common", () => {
		expect([similarity(DRAFT, REWORDED), similarity(DRAFT, OTHER)]).toEqual([1, 0]);
	});

	it("is 0 as soon as one of them has fewer than 30 characters, the space around it not counted", () => {
		const short = "robot counts the red apples it";
		expect(short).toHaveLength(30);
		expect(similarity(short, short)).toBe(1);
		expect(similarity(short.slice(1), short.slice(1))).toBe(0);
		expect(similarity(` ${short.slice(1)}\n`, DRAFT)).toBe(0);
		expect(similarity(DRAFT, ` ${short.slice(1)}\n`)).toBe(0);
	});

	it("is 1 for a text and itself, were it of stop words or signs alone", () => {
		const empty = "What would you like me to do for you now?";
		const signs = "🙂".repeat(20);
		expect([similarity(empty, ` ${empty}`), similarity(signs, signs), similarity(signs, empty)]).toEqual([1, 1, 0]);
	});

	it.each([undefined, null, 7, {}, [DRAFT], Symbol("x"), Object.create(null)])("throws ConfigurationError for %o", (junk) => {
		expect(() => similarity(junk as string, DRAFT)).toThrow(ConfigurationError);
		expect(() => hasConverged(DRAFT, junk as string)).toThrow("Only texts can be compared");
	});
});

describe("hasConverged()", () => {
	it("is true from the threshold on, which is 0.85", () => {
		const six = "lion tiger zebra camel horse panda";
		const fiveOfThem = "lion tiger zebra camel horse eagle";
		expect(similarity(six, fiveOfThem)).toBeCloseTo(5 / 6, 12);
		expect(hasConverged(six, fiveOfThem)).toBe(false);
		expect(hasConverged(six, fiveOfThem, { threshold: 0.83 })).toBe(true);
		expect(hasConverged(`${six} otter`, `${fiveOfThem} otter`)).toBe(true);
		expect(hasConverged(DRAFT, REWORDED, { threshold: 1 })).toBe(true);
		expect(hasConverged(DRAFT, OTHER, { threshold: 0 })).toBe(true);
	});

	it.each([-0.1, 1.1, Number.NaN, "0.5", null])("throws ConfigurationError for the threshold %o, whatever the texts are", (threshold) => {
		expect(() => hasConverged("", "", { threshold: threshold as number })).toThrow(
			/hasConverged\(\): threshold must be a number from 0 to 1, got /,
		);
		expect(() => hasConverged("", "", { threshold: threshold as number })).toThrow(ConfigurationError);
	});

	it("throws ConfigurationError for an option it does not know", () => {
		expect(() => hasConverged(DRAFT, DRAFT, { treshold: 0.5 } as object)).toThrow('Did you mean "threshold"?');
		expect(() => hasConverged(DRAFT, DRAFT, null as unknown as object)).toThrow(ConfigurationError);
	});
});
