import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ConfigDraft, ScriptsConfig } from "../../src/config/config.js";
import { config, configure, reloadConfig } from "../../src/config/configure.js";
import { variableOf } from "../../src/config/read-variables.js";
import { resolveConfig } from "../../src/config/resolve.js";
import { Places } from "./places.js";

/** Every way to write a setting, the ones that count more behind the others. */
const LAYERS = [
	"config.yml: defaults",
	"config.yml",
	"config.yml: staging",
	"robot_lab.yml",
	"robot_lab.yml: staging",
	"project",
	"project: staging",
	"variable",
] as const;
type Layer = (typeof LAYERS)[number];

type Values = Partial<Record<Layer, number>>;

/** Writes a number for `scripts.max_model_bytes` in each layer given and loads them. */
function loaded(values: Values) {
	const places = new Places();
	const file = (prefix: string): string =>
		LAYERS.filter((layer) => layer === prefix || layer.startsWith(`${prefix}: `))
			.filter((layer) => values[layer] !== undefined)
			.map((layer) => {
				const section = layer.split(": ")[1];
				return `${section === undefined ? "" : `${section}: `}{ scripts: { max_model_bytes: ${values[layer]} } }`.replace(
					/^\{ | \}$/g,
					section ? "$&" : "",
				);
			})
			.join("\n");
	places.write(places.userFile, file("config.yml"));
	places.write(places.userFile.replace("config.yml", "robot_lab.yml"), file("robot_lab.yml"));
	places.write(places.projectFile, file("project"));
	return places.load({
		ROBOT_LAB_ENV: "staging",
		...(values.variable !== undefined && { [variableOf("scripts.max_model_bytes")]: String(values.variable) }),
	});
}

const bytesIn = (values: Values): number => resolveConfig(loaded(values).written).scripts.maxModelBytes;

const edited = (edit: (draft: ConfigDraft) => unknown): ScriptsConfig => configure((draft) => void edit(draft)).scripts;

const PAIRS = LAYERS.flatMap((lower, index) => LAYERS.slice(index + 1).map((upper) => [lower, upper] as const));

describe("the order of layers", () => {
	it.each(LAYERS)("%s wins over the default", (layer) => {
		expect(bytesIn({ [layer]: 1000 })).toBe(1000);
	});

	it.each(PAIRS)("%s loses to %s", (lower, upper) => {
		expect(bytesIn({ [lower]: 1000, [upper]: 2000 })).toBe(2000);
		expect(bytesIn({ [lower]: 2000, [upper]: 1000 })).toBe(1000);
	});

	it("is the same for any of the layers at once", () => {
		const values = fc.record(Object.fromEntries(LAYERS.map((layer) => [layer, fc.integer({ min: 256, max: 99_999 })])), {
			requiredKeys: [],
		});
		fc.assert(
			fc.property(values, (given: Values) => {
				const top = LAYERS.findLast((layer) => given[layer] !== undefined);
				const { written, origins } = loaded(given);
				expect(resolveConfig(written).scripts.maxModelBytes).toBe(top === undefined ? 32_768 : given[top]);
				const origin = origins.get("scripts.max_model_bytes");
				expect(origin?.layer).toBe(top?.includes(".yml") ? "user" : top?.split(":")[0]);
				if (origin !== undefined && "path" in origin) {
					expect(origin.path.endsWith(top?.startsWith("config") ? "/config.yml" : "/robot_lab.yml")).toBe(true);
					expect(origin.environment).toBe(top?.split(": ")[1]);
				}
			}),
			{ numRuns: 100 },
		);
	});

	it("merges sections key by key, and lists not at all", () => {
		const places = new Places();
		places.write(places.userFile, "sandbox: { enabled: true, fs_read: [/a, /b], limits: { processes: 9 } }");
		places.write(places.projectFile, "sandbox: { fs_read: [/b], limits: { cpu_seconds: 3 } }");
		expect(places.config({ ROBOT_LAB_SANDBOX__TIMEOUT: "5" }).sandbox).toMatchObject({
			...{ enabled: true, fsRead: ["/b"], timeout: 5, limits: { processes: 9, cpuSeconds: 3 } },
		});
	});

	it("ends with configure(), whose changes reloadConfig() forgets", () => {
		process.env.ROBOT_LAB_SCRIPTS__MAX_MODEL_BYTES = "1000";
		try {
			expect(reloadConfig().scripts.maxModelBytes).toBe(1000);
			expect(configure({ scripts: { maxModelBytes: 2000 } }).scripts.maxModelBytes).toBe(2000);
			expect(edited(({ scripts }) => Object.assign(scripts, { cwd: "skill" }))).toMatchObject({ cwd: "skill", maxModelBytes: 2000 });
			expect(reloadConfig().scripts).toMatchObject({ cwd: "work", maxModelBytes: 1000 });
			// what a draft leaves out is the default again, whoever wrote it
			expect(edited((draft) => delete draft.scripts.maxModelBytes).maxModelBytes).toBe(32_768);
		} finally {
			delete process.env.ROBOT_LAB_SCRIPTS__MAX_MODEL_BYTES;
			reloadConfig();
		}
		expect(config().scripts.maxModelBytes).toBe(32_768);
	});

	it("keeps what there is when what is loaded again is wrong", () => {
		configure({ model: "offline" });
		const before = config();
		process.env.ROBOT_LAB_SANDBOX__TIMEOUT = "soon";
		expect(() => reloadConfig()).toThrow(/ROBOT_LAB_SANDBOX__TIMEOUT: sandbox\.timeout must be/);
		expect(config()).toBe(before);
		delete process.env.ROBOT_LAB_SANDBOX__TIMEOUT;
		reloadConfig();
	});
});
