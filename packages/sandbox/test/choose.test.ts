import { Capabilities, type Config, type ConfigDraft, configure, reloadConfig, type SandboxBackend, ScriptTool } from "@robot-lab/core";
import { afterEach, describe, expect, it } from "vitest";
import { Sandbox } from "../src/index.js";
import { createExecutor } from "../src/run/executor.js";
import { chooseStrategy } from "../src/strategy/choose.js";
import { sandboxStatus } from "../src/strategy/status.js";

const configured = (sandbox: ConfigDraft["sandbox"]): Config => configure({ sandbox });
afterEach(() => {
	reloadConfig();
});

describe("Sandbox.for()", () => {
	const external = new Capabilities();
	const core = new Capabilities({ trust: "core" });

	it.each([
		["darwin", external, "seatbelt"],
		["darwin", core, "none"],
		["linux", external, "none"],
		["linux", core, "none"],
		["win32", external, "none"],
	] as const)("on %s chooses by the grant's trust", (platform, grant, name) => {
		expect(Sandbox.for(grant, { skillDir: "/s", platform }).name).toBe(name);
	});

	it.each([
		["none", "darwin", "none"],
		["seatbelt", "darwin", "seatbelt"],
		["auto", "darwin", "seatbelt"],
		["auto", "linux", "none"],
		["bubblewrap", "linux", "bubblewrap"],
	] as const)("with backend %s on %s gives %s", (backend, platform, name) => {
		expect(Sandbox.for(external, { skillDir: "/s", platform, config: configured({ backend }) }).name).toBe(name);
	});

	it.each([
		["seatbelt", "linux", "unsupported_platform"],
		["bubblewrap", "darwin", "unsupported_platform"],
	] as const)("throws for backend %s on %s instead of choosing another", (backend: SandboxBackend, platform, code) => {
		const config = configured({ backend });
		expect(() => Sandbox.for(external, { skillDir: "/s", platform, config })).toThrow(
			expect.objectContaining({ name: "SandboxUnavailableError", code }),
		);
		expect(Sandbox.for(core, { skillDir: "/s", platform, config }).name).toBe("none");
	});

	it.each([
		["auto", "linux", "bubblewrap"],
		["none", "linux", "bubblewrap"],
		["none", "darwin", "sandbox.require to false"],
		["auto", "win32", "sandbox.require to false"],
	] as const)("throws for backend %s on %s where confinement is required, and names a way out", (backend, platform, step) => {
		const config = configured({ backend, require: true });
		expect(() => Sandbox.for(external, { skillDir: "/s", platform, config })).toThrow(
			expect.objectContaining({ code: "unsupported_platform", message: expect.stringContaining(step) }),
		);
		expect(Sandbox.for(core, { skillDir: "/s", platform, config }).name).toBe("none");
	});

	it("has what sandbox.require wants on macOS", () => {
		expect(Sandbox.for(external, { skillDir: "/s", platform: "darwin", config: configured({ require: true }) }).name).toBe("seatbelt");
	});

	it("touches nothing: a directory that does not exist and a grant that cannot be expressed are no concern of it", () => {
		const grant = new Capabilities({ fsWrite: ["/"] });
		expect(Sandbox.for(grant, { skillDir: "/nowhere", command: ["nothing"], platform: "darwin" }).name).toBe("seatbelt");
	});

	it("hands what it is told to the strategy", () => {
		const strategy = Sandbox.for(external, { skillDir: "/Users/u/s", platform: "darwin" });
		expect(strategy).toBeInstanceOf(Sandbox.Seatbelt);
		expect((strategy as InstanceType<typeof Sandbox.Seatbelt>).profile).toContain('(allow file-read* (subpath "/Users/u/s"))');
	});
});

describe("Null", () => {
	it("wraps a command as itself and has nothing to clean up", async () => {
		const strategy = new Sandbox.Null();
		const command = ["bash", "x"];
		expect(await strategy.wrap(command)).toEqual(command);
		await strategy.cleanup();
		await strategy.cleanup();
		expect(strategy.name).toBe("none");
	});
});

describe("Sandbox.isEnabled()", () => {
	it("is false without a section, and what the section says", () => {
		expect(Sandbox.isEnabled()).toBe(false);
		expect(Sandbox.isEnabled(configured({ fsRead: ["."] }))).toBe(false);
		expect(Sandbox.isEnabled(configured({ enabled: true }))).toBe(true);
		expect(Sandbox.isEnabled()).toBe(true);
	});
});

describe("Sandbox.isMacos()", () => {
	it("is about darwin, here by default", () => {
		expect(["darwin", "linux", "win32"].map((platform) => Sandbox.isMacos(platform as NodeJS.Platform))).toEqual([true, false, false]);
		expect(Sandbox.isMacos()).toBe(process.platform === "darwin");
	});
});

describe("Sandbox.status()", () => {
	const nothing = { fsRead: false, fsWrite: false, network: false, processes: false, environment: false };

	it("says that nothing is enforced while confinement is not enabled", async () => {
		expect(await Sandbox.status()).toEqual({
			installed: true,
			enabled: false,
			strategy: "none",
			enforced: nothing,
			notEnforced: [],
			refuses: false,
			reason: "sandbox.enabled is not true",
		});
	});

	it("says that nothing is enforced where no strategy confines", async () => {
		configure({ sandbox: { enabled: true } });
		expect(await sandboxStatus({ platform: "linux" })).toMatchObject({
			enabled: true,
			strategy: "none",
			enforced: nothing,
			refuses: false,
			reason: 'nothing confines scripts here: sandbox.backend "auto" confines on macOS only, and this is linux',
		});
	});

	it("says that of all that only the environment is kept where nothing confines and sandbox.env is scrub, and what that does not stop", async () => {
		configure({ sandbox: { enabled: true, backend: "none", env: "scrub" } });
		const { enforced, notEnforced, reason } = await sandboxStatus();
		expect(enforced).toEqual({ ...nothing, environment: true });
		expect(notEnforced.map(({ what }) => what)).toEqual(["the environment of other processes"]);
		expect(reason).toContain("nothing confines");
		configure({ sandbox: { require: true } });
		expect(await sandboxStatus()).toMatchObject({
			enforced: nothing,
			refuses: true,
			reason: expect.stringContaining("scripts are not run"),
		});
		configure({ sandbox: { enabled: false } });
		expect((await sandboxStatus()).enforced).toEqual(nothing);
	});

	it.each(["darwin", "linux"] as const)("says that nothing confines because that was asked for, on %s too", async (platform) => {
		configure({ sandbox: { enabled: true, backend: "none" } });
		expect((await sandboxStatus({ platform })).reason).toBe('nothing confines scripts here: sandbox.backend is "none"');
	});

	it("says why scripts are not run where a named backend cannot be had", async () => {
		configure({ sandbox: { enabled: true, backend: "seatbelt" } });
		expect(await sandboxStatus({ platform: "linux" })).toMatchObject({
			enforced: nothing,
			reason: expect.stringContaining("scripts are not run"),
		});
	});

	it.skipIf(process.platform === "darwin")("claims nothing for a Mac without sandbox-exec (a Mac has it)", async () => {
		configure({ sandbox: { enabled: true } });
		expect(await sandboxStatus({ platform: "darwin" })).toMatchObject({
			strategy: "seatbelt",
			enforced: nothing,
			refuses: true,
			reason: expect.stringContaining("/usr/bin/sandbox-exec"),
		});
	});

	it("says that another executor is in the place of ours", async () => {
		configure({ sandbox: { enabled: true } });
		using _ = ScriptTool.replaceExecutor({
			specificationVersion: "v1",
			name: "mine",
			run: async () => Promise.reject(new Error("unused")),
		});
		expect(await sandboxStatus({ platform: "darwin" })).toMatchObject({
			installed: false,
			strategy: "none",
			enforced: nothing,
			reason: expect.stringContaining('"mine"'),
		});
	});
});

describe("confines() of the executor", () => {
	const confines = (sandbox: ConfigDraft["sandbox"], platform: NodeJS.Platform, trust: "core" | "external" = "external"): boolean => {
		configured(sandbox);
		return createExecutor({ platform, choose: chooseStrategy }).confines?.(new Capabilities({ trust })) === true;
	};

	it("says yes where a script is held to its grant or not run at all, and no wherever it may do everything", () => {
		expect(confines({ enabled: true, backend: "bubblewrap" }, "linux")).toBe(true);
		expect(confines({ enabled: true }, "darwin")).toBe(true);
		expect(confines({ enabled: true, backend: "seatbelt" }, "linux")).toBe(true);
		expect(confines({ enabled: true, backend: "bubblewrap" }, "linux", "core")).toBe(false);
		expect(confines({ enabled: true, backend: "auto" }, "linux")).toBe(false);
		expect(confines({ enabled: true, backend: "none" }, "darwin")).toBe(false);
		expect(confines({ enabled: false, backend: "bubblewrap" }, "linux")).toBe(false);
	});
});
