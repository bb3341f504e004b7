import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Capabilities } from "../../src/capability/capabilities.js";

const of = (metadata: unknown, own: Readonly<Record<string, unknown>> = {}): Capabilities =>
	Capabilities.fromFrontMatter({ ...own, metadata });

describe("Capabilities.fromFrontMatter() on metadata", () => {
	it("reads every field as a text", () => {
		const capabilities = of({
			author: "me",
			"robot-lab.fs_read": "./data\n\n ~/my notes, old \n",
			"robot-lab.fs_write": "./out",
			"robot-lab.network": "Yes",
			"robot-lab.timeout": "5",
			"robot-lab.trust": "core",
			"robot-lab.limits.memory_mb": "64",
			"robot-lab.limits.output_bytes": "100",
		});
		expect(capabilities).toMatchObject({
			fsRead: ["./data", "~/my notes, old"],
			fsWrite: ["./out"],
			network: true,
			timeout: 5,
			trust: "core",
			limits: { memoryMb: 64, outputBytes: 100 },
			diagnostics: [],
		});
	});

	it.each<[string, unknown]>([
		["true", true],
		["1", 1],
		["a list", ["yes"]],
		["an object", { toString: () => "yes" }],
	])("takes no value but a text: network is not granted by %s", (_, value) => {
		const { network, diagnostics } = of({ "robot-lab.network": value });
		expect({ network, diagnostics }).toEqual({
			network: false,
			diagnostics: [expect.stringMatching(/^robot-lab\.network: .* is not a text/)],
		});
	});

	it.each(["y", "granted", " true", "", "yes please", "no", "false", "off", "0"])("grants the network by no other word: %j", (word) => {
		expect(of({ "robot-lab.network": word }).network).toBe(false);
	});

	it("says what is malformed, and takes the default", () => {
		const { timeout, trust, limits, diagnostics } = of({
			"robot-lab.timeout": "soon",
			"robot-lab.trust": "Core",
			"robot-lab.limits.processes": "none",
		});
		expect({ timeout, trust, limits }).toEqual({ timeout: 60, trust: "external", limits: {} });
		expect(diagnostics).toHaveLength(3);
	});

	it("lets the front matter's own field count first, in every spelling, and says so", () => {
		for (const own of [{ fs_read: ["/own"] }, { fsRead: "/own" }]) {
			const { fsRead, diagnostics } = of({ "robot-lab.fs_read": "/other" }, own);
			expect(fsRead).toEqual(["/own"]);
			expect(diagnostics).toEqual([expect.stringMatching(/^robot-lab\.fs_read: does not count/)]);
		}
		expect(of({ "robot-lab.network": "true" }, { network: false }).network).toBe(false);
		expect(of({ "robot-lab.trust": "core" }, { trust: "external" }).trust).toBe("external");
		expect(of({ "robot-lab.limits.memory_mb": "9", "robot-lab.limits.processes": "2" }, { limits: { memory_mb: 1 } }).limits).toEqual({
			memoryMb: 1,
			processes: 2,
		});
	});

	it.each<[string, unknown]>([
		["another prefix", { "robot_lab.network": "true", "other.fs_read": "/" }],
		["no prefix", { network: "true", fs_read: "/" }],
		["a text", "robot-lab.network: true"],
		["a list", [{ "robot-lab.network": "true" }]],
		["an inherited key", Object.create({ "robot-lab.network": "true" })],
		["deeper down", { "robot-lab": { network: "true" } }],
	])("reads nothing from %s", (_, metadata) => {
		expect(of(metadata)).toMatchObject({ fsRead: [], network: false, diagnostics: [] });
	});

	it("never throws, whatever metadata is, and grants no more than texts name", () => {
		const keys = fc.constantFrom(
			"robot-lab.network",
			"robot-lab.fs_read",
			"robot-lab.timeout",
			"robot-lab.trust",
			"robot-lab.limits.processes",
			"x",
		);
		fc.assert(
			fc.property(fc.dictionary(keys, fc.anything()), (metadata) => {
				const { network, fsRead, trust } = of(metadata);
				if (network) expect(["true", "yes", "on", "1"]).toContain(String(metadata["robot-lab.network"]).toLowerCase());
				if (fsRead.length > 0) expect(typeof metadata["robot-lab.fs_read"]).toBe("string");
				if (trust === "core") expect(metadata["robot-lab.trust"]).toBe("core");
			}),
		);
		const hostile = new Proxy(
			{},
			{
				ownKeys: () => {
					throw new Error("no");
				},
			},
		);
		expect(of(hostile).network).toBe(false);
	});
});
