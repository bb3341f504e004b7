import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canLookForSurvivors, uniqueSleep, untilLiving } from "../process/living.js";
import { call, connected, hostile, named } from "./hostile.js";

describe.skipIf(!canLookForSurvivors)("a server that was started here, and everything it started, is gone", () => {
	it.each(["works", "heeds nothing", "hangs", "floods stderr"])("when it is disconnected (one that %s)", async (behaviour) => {
		const marker = uniqueSleep();
		const servers = connected({ it: hostile(behaviour, {}, marker) });
		await servers.connect();
		// the server's own command line names the marker too
		expect(await untilLiving(marker, 3)).toHaveLength(3);
		await servers.disconnect();
		expect(await untilLiving(marker, 0)).toEqual([]);
	});

	it("when it is disconnected while it starts", async () => {
		const marker = uniqueSleep();
		const servers = connected({ it: hostile("says nothing", {}, marker) });
		const connecting = servers.connect();
		connecting.catch(() => {});
		expect(await untilLiving(marker, 3)).toHaveLength(3);
		await servers.disconnect();
		await expect(connecting).rejects.toMatchObject({ code: "disconnected" });
		expect(await untilLiving(marker, 0)).toEqual([]);
	});

	it("when it dies and leaves them behind", async () => {
		const marker = uniqueSleep();
		const servers = connected({ it: hostile("dies", {}, marker) });
		await call(named(await servers.tools(), "work"));
		expect(await untilLiving(marker, 0)).toEqual([]);
	});

	it("when the block that it was made for is left", async () => {
		const marker = uniqueSleep();
		{
			await using servers = connected({ it: hostile("works", {}, marker) });
			await servers.connect();
		}
		expect(await untilLiving(marker, 0)).toEqual([]);
	});

	it.each([
		["exits", 7],
		["forgets", 0],
	])("when the host %s", async (what, code) => {
		const marker = uniqueSleep();
		expect(await hostThat(what, "heeds nothing", marker).ended).toEqual([code, null]);
		expect(await untilLiving(marker, 0)).toEqual([]);
	});

	it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("when the host gets %s", async (signal) => {
		const marker = uniqueSleep();
		const { host, ended } = hostThat("waits", "heeds nothing", marker);
		await once(host.stdout, "data");
		host.kill(signal);
		expect(await ended).toEqual([null, signal]);
		expect(await untilLiving(marker, 0)).toEqual([]);
	});
});

it("a server gets no variable that nobody named", async () => {
	process.env.SOME_API_KEY = "sk-secret";
	process.env.NAMED_KEY = "named";
	const servers = connected({ it: hostile("environment", { env: { GIVEN: "1" }, envPass: ["NAMED_KEY", "ABSENT_KEY"] }) });
	const names = (await call(named(await servers.tools(), "work")))?.text.split(" ") ?? [];
	const allowed = /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|LANG|LC_\w+|TZ|GIVEN|NAMED_KEY|ROBOT_LAB_RUN_ID|__CF_USER_TEXT_ENCODING)$/;
	expect(names.filter((name) => !allowed.test(name))).toEqual([]);
	expect(names).toEqual(expect.arrayContaining(["GIVEN", "NAMED_KEY", "PATH"]));
});

it("a program that is not there is named", async () => {
	await expect(connected({ it: { command: "no-such-mcp-server" } }).connect()).rejects.toMatchObject({
		code: "unreachable",
		message: expect.stringContaining('the program "no-such-mcp-server" was not found'),
	});
});

function hostThat(what: string, behaviour: string, marker: string) {
	const host = spawn(process.execPath, [join(import.meta.dirname, "fixtures/host.mjs"), what, behaviour], {
		stdio: ["ignore", "pipe", "inherit"],
		env: { ...process.env, MARKER: marker },
	});
	return { host, ended: once(host, "exit") };
}
