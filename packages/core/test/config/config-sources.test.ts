import { afterEach, expect, it } from "vitest";
import { configSources } from "../../src/config/config-sources.js";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { MASKED, maskSecret } from "../../src/config/mask-secret.js";
import { SETTINGS } from "../../src/config/settings.js";

afterEach(() => {
	delete process.env.ROBOT_LAB_SANDBOX__TIMEOUT;
	reloadConfig();
});

const setting = (name: string) => configSources().settings.find((one) => one.name === name);

it("configSources() has every setting, with its default where nobody wrote one", () => {
	expect(configSources().settings.map(({ name }) => name)).toEqual([...SETTINGS.keys()]);
	expect(setting("sandbox.timeout")).toEqual({ name: "sandbox.timeout", value: 60, origin: { layer: "default" } });
	expect(setting("model")).toEqual({ name: "model", origin: { layer: "default" } });
	expect(setting("trusted_projects")).toEqual({ name: "trusted_projects", value: [], origin: { layer: "default" } });
	expect(configSources()).toMatchObject({ environment: "test", ignored: [] });
});

it("configSources() says what a variable and what configure() set, by an object and by a function", () => {
	process.env.ROBOT_LAB_SANDBOX__TIMEOUT = "30";
	reloadConfig();
	const variable = { layer: "variable", variable: "ROBOT_LAB_SANDBOX__TIMEOUT" };
	expect(setting("sandbox.timeout")).toMatchObject({ value: 30, origin: variable });
	configure({ sandbox: { fsRead: ["/a"] } });
	configure((draft) => {
		draft.model = "offline";
	});
	expect(setting("sandbox.fs_read")).toMatchObject({ value: ["/a"], origin: { layer: "configure" } });
	expect(setting("model")).toMatchObject({ value: "offline", origin: { layer: "configure" } });
	expect(setting("sandbox.timeout")).toMatchObject({ value: 30, origin: variable });
	configure({ sandbox: { timeout: 30 } });
	expect(setting("sandbox.timeout")).toMatchObject({ value: 30, origin: { layer: "configure" } });
	configure((draft) => {
		delete draft.sandbox.timeout;
	});
	expect(setting("sandbox.timeout")).toMatchObject({ value: 60, origin: { layer: "default" } });
});

it.each(["openai_api_key", "providers.token", "client_secret", "password"])("%s is masked", (name) => {
	expect(maskSecret(name, "sk-1")).toBe(MASKED);
	expect(maskSecret(name, undefined)).toBeUndefined();
});

it.each([
	["model", "a/b"],
	["sandbox.env_pass", ["API_KEY"]],
	["budget.token", 100],
	["keyboard", "de"],
])("%s is not masked", (name, value) => {
	expect(maskSecret(name, value)).toBe(value);
});
