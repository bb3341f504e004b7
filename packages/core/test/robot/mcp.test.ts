import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { McpServers } from "../../src/mcp/mcp-servers.js";
import type { McpTool } from "../../src/mcp/remote-tool.js";
import { Robot } from "../../src/robot/robot.js";
import { type McpForRun, RobotMcp, type RobotMcpServers } from "../../src/robot/robot-mcp.js";
import type { RobotOptions } from "../../src/robot/robot-options.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { createTool } from "../../src/tool/create-tool.js";
import { call, hostile, named } from "../mcp/hostile.js";
import { canLookForSurvivors, uniqueSleep, untilLiving } from "../process/living.js";

const loads = vi.hoisted(() => ({ client: 0 }));
// It is the real one; only that it was loaded is written down.
vi.mock("@modelcontextprotocol/client", (importOriginal) => {
	loads.client += 1;
	return importOriginal();
});

afterEach(() => {
	reloadConfig();
});

function robotMcp(mcp?: RobotMcpServers): RobotMcp {
	const made = new RobotMcp({ mcp, robotName: "helper" });
	onTestFinished(() => made.disconnect());
	return made;
}

/** A server that writes down each of its starts, and how often it did. */
function counted(behaviour = "works", description?: string) {
	const directory = mkdtempSync(join(tmpdir(), "robot-mcp-"));
	onTestFinished(() => rmSync(directory, { recursive: true }));
	const file = join(directory, "starts");
	const options = hostile(behaviour, { env: { STARTS_FILE: file }, ...(description !== undefined && { description }) });
	const starts = (): number => (existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0);
	return { options, starts };
}

const toolsOf = async (mcp: RobotMcp, asked?: McpForRun): Promise<readonly McpTool[]> => (await mcp.tools(asked)).tools;

const shown = (tools: readonly McpTool[]): readonly string[] => tools.map(({ server, name }) => `${server}: ${name}`);

describe("a robot without servers", () => {
	it.each([
		["says nothing", undefined],
		["inherits", "inherit"],
		["has none", "none"],
		["has an empty list", []],
		["has an empty record", {}],
	] as const)("loads nothing of the protocol where it %s", async (_, mcp) => {
		const made = robotMcp(mcp);
		expect(await toolsOf(made, { about: "files", taken: ["work"] })).toEqual([]);
		await made.connect();
		await made.disconnect();
		expect(made.status()).toEqual([]);
		// the control is the first test below that uses a server
		expect(loads.client).toBe(0);
	});
});

describe("a robot's own servers", () => {
	it("are started by the first run that uses them, once, however many runs begin together", async () => {
		const { options, starts } = counted();
		const made = robotMcp({ it: options });
		expect(made.status()).toEqual([{ name: "it", state: "idle" }]);
		expect([await toolsOf(made, { run: "none" }), starts(), loads.client]).toEqual([[], 0, 0]);
		const lists = await Promise.all([toolsOf(made), toolsOf(made), toolsOf(made, { run: ["it"] })]);
		for (const tools of lists) expect(shown(tools)).toEqual(["it: work", "it: other"]);
		expect([starts(), loads.client]).toEqual([1, 1]);
		expect(made.status()).toMatchObject([{ name: "it", state: "connected" }]);
	});

	it("count where task, network and configuration say none, and not where the run does", async () => {
		const { options, starts } = counted();
		configure({ mcp: "none" });
		const made = robotMcp({ it: options });
		expect(await toolsOf(made, { run: "none", task: ["it"], network: ["it"] })).toEqual([]);
		expect(await toolsOf(made, { run: [] })).toEqual([]);
		expect(starts()).toBe(0);
		expect(shown(await toolsOf(made, { run: "inherit", task: "none", network: "none" }))).toEqual(["it: work", "it: other"]);
	});

	it("are reached anew by the next run when they have died", async () => {
		const { options, starts } = counted("dies");
		const made = robotMcp({ it: options });
		const before = await toolsOf(made);
		expect(await call(named(before, "work"))).toMatchObject({ isError: true });
		const after = await toolsOf(made);
		expect(await call(named(after, "other"))).toEqual({ text: "other done", isError: false });
		expect(starts()).toBe(2);
	});

	it.skipIf(!canLookForSurvivors)(
		"end with everything they started when the robot disconnects, and are there again for the next run",
		async () => {
			const marker = uniqueSleep();
			const made = robotMcp({ it: hostile("heeds nothing", {}, marker) });
			await made.connect();
			expect(await untilLiving(marker, 3)).toHaveLength(3);
			await Promise.all([made.disconnect(), made.disconnect()]);
			expect(await untilLiving(marker, 0)).toEqual([]);
			expect(made.status()).toEqual([{ name: "it", state: "idle" }]);
			expect(await toolsOf(made)).toHaveLength(2);
			await made.disconnect();
			expect(await untilLiving(marker, 0)).toEqual([]);
		},
	);

	it("do not hold a run up that is aborted, where they hang", async () => {
		const made = robotMcp({ it: hostile("says nothing") });
		const stop = new AbortController();
		const tools = toolsOf(made, { signal: stop.signal });
		await expect.poll(() => made.status()[0]?.state).toBe("connecting");
		stop.abort(new Error("enough"));
		await expect(tools).rejects.toThrow("enough");
		await expect(toolsOf(made, { signal: stop.signal })).rejects.toThrow("enough");
	});

	it("that cannot be reached are left out, with a warning, and the others are there", async () => {
		const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
		onTestFinished(() => warned.mockRestore());
		const made = robotMcp({ gone: { command: "no-such-mcp-server-of-a-robot" }, it: hostile("works") });
		expect(shown(await toolsOf(made))).toEqual(["it: work", "it: other"]);
		expect(warned.mock.calls.map(([message]) => String(message))).toEqual([expect.stringContaining('"no-such-mcp-server-of-a-robot"')]);
		await expect(made.connect()).rejects.toMatchObject({ code: "unreachable", server: "gone" });
	});

	it("are asked only where they have to do with the message, if there is one", async () => {
		const [files, weather] = [counted("works", "reads files"), counted("works", "weather forecasts")];
		const made = robotMcp({ files: files.options, weather: weather.options });
		expect(new Set((await toolsOf(made, { about: "Will the weather hold?" })).map(({ server }) => server))).toEqual(new Set(["weather"]));
		expect([files.starts(), weather.starts()]).toEqual([0, 1]);
	});

	it("keep to what they were given", async () => {
		const { options } = counted();
		const servers = { it: { ...options } };
		const made = robotMcp(servers);
		servers.it.command = "no-such-mcp-server";
		expect(await toolsOf(made)).toHaveLength(2);
	});

	it("leave their names to other tools: those of a server get the server's name in front", async () => {
		const made = robotMcp({ it: hostile("works") });
		const tools = await toolsOf(made, { taken: ["work", "other_tool"] });
		expect(shown(tools)).toEqual(["it: it_work", "it: other"]);
		expect(tools.map(({ remoteName }) => remoteName)).toEqual(["work", "other"]);
		expect(await call(named(tools, "it_work"))).toEqual({ text: "work done", isError: false });
		expect(shown(await toolsOf(made, { taken: ["WORK", "it_Work"] }))[0]).toMatch(/^it: it_work_[0-9a-f]{8}$/);
	});
});

describe("the servers of the configuration", () => {
	it("are those of every robot that is given no others, started once for all, whatever else is configured meanwhile", async () => {
		const { options, starts } = counted();
		configure({ mcpServers: { it: options } });
		const [one, other] = [robotMcp(), robotMcp(["it"])];
		expect(shown(await toolsOf(one))).toEqual(["it: work", "it: other"]);
		configure({ model: "offline" });
		configure((draft) => {
			draft.scripts.maxModelBytes = 1000;
		});
		expect(await toolsOf(other)).toHaveLength(2);
		await one.disconnect();
		expect(await toolsOf(one)).toHaveLength(2);
		expect(starts()).toBe(1);
	});

	it("are chosen by the nearest level that says something", async () => {
		configure({ mcpServers: { a: hostile("works"), b: hostile("works") }, mcp: ["a", "gone"] });
		const made = robotMcp();
		const serversOf = async (levels: Parameters<RobotMcp["tools"]>[0]) => [
			...new Set((await toolsOf(made, levels)).map(({ server }) => server)),
		];
		expect(await serversOf({})).toEqual(["a"]);
		expect(await serversOf({ network: ["b", "gone"] })).toEqual(["b"]);
		expect(await serversOf({ task: "none", network: ["b"] })).toEqual([]);
		expect(await serversOf({ run: ["b", "a"], task: "none" })).toEqual(["b", "a"]);
		expect(made.status().map(({ name }) => name)).toEqual(["a"]);
		expect(robotMcp("none").status()).toEqual([]);
	});

	it.skipIf(!canLookForSurvivors)("end when the configuration names others", async () => {
		const marker = uniqueSleep();
		configure({ mcpServers: { it: hostile("heeds nothing", {}, marker) } });
		const made = robotMcp();
		await made.connect();
		expect(await untilLiving(marker, 3)).toHaveLength(3);
		configure({ mcpServers: {} });
		expect(await toolsOf(made)).toEqual([]);
		expect(await untilLiving(marker, 0)).toEqual([]);
	});

	it("give way to servers of the robot's own by the same name, and are there beside them for a run that names them", async () => {
		const [own, hidden, other] = [counted(), counted(), counted()];
		configure({ mcpServers: { it: hidden.options, other: other.options } });
		const made = robotMcp({ it: own.options });
		expect(shown(await toolsOf(made))).toEqual(["it: work", "it: other"]);
		expect(other.starts()).toBe(0);
		expect(shown(await toolsOf(made, { run: ["it", "other"], taken: ["other_other"] }))).toEqual([
			...["it: it_work", "it: it_other", "other: other_work"],
			expect.stringMatching(/^other: other_other_[0-9a-f]{8}$/),
		]);
		expect([own.starts(), hidden.starts(), other.starts()]).toEqual([1, 0, 1]);
	});
});

describe("servers that somebody else made", () => {
	it("are used and not ended", async () => {
		const { options, starts } = counted();
		await using servers = new McpServers({ it: options });
		const [one, other] = [robotMcp(servers), robotMcp(servers)];
		expect(await toolsOf(one)).toHaveLength(2);
		await one.disconnect();
		expect(await toolsOf(other, { run: ["it"] })).toHaveLength(2);
		expect(starts()).toBe(1);
		expect(other.status()).toMatchObject([{ name: "it", state: "connected" }]);
	});
});

describe("what no robot can be given", () => {
	it.each([
		[7, 'A robot\'s mcp must be "inherit", "none", a list of names, servers by their names, or an McpServers, not 7.'],
		[null, "an McpServers, not null."],
		[new Map([["it", { command: "x" }]]), "an McpServers, not an object."],
		["all", 'A robot\'s mcp must be "inherit", "none" or a list of names, not "all".'],
		[["a", "a"], 'A robot\'s mcp must hold only different names, not "a".'],
		[[{ command: "x" }], "A robot's mcp must hold only names, not an object."],
		[{ it: { comand: "x" } }, 'The MCP server "it" needs either a command, to be started here, or the url'],
		[JSON.parse('{"__proto__": 7}'), 'The MCP server "__proto__" must be given as { command } or { url }.'],
	])("%j is an error", (mcp, message) => {
		expect(() => new RobotMcp({ mcp: mcp as never, robotName: "helper" })).toThrow(ConfigurationError);
		expect(() => new RobotMcp({ mcp: mcp as never, robotName: "helper" })).toThrow(message);
	});

	it("is a name that no server has, of the robot or of a run", async () => {
		await expect(robotMcp(["files"]).tools()).rejects.toThrow(
			'The robot "helper" was given the MCP server name "files", which this robot does not have. It has none.',
		);
		await expect(robotMcp({ files: hostile("works") }).tools({ run: ["file"] })).rejects.toThrow(
			'run() was given the MCP server name "file", which this robot does not have. Did you mean "files"? It has files.',
		);
		await expect(robotMcp().tools({ run: { it: hostile("works") } as never })).rejects.toThrow(
			'A run\'s mcp must be "inherit", "none" or a list of names, not an object.',
		);
	});
});

it("a robot's servers are written down by their names alone", () => {
	const mcp = { files: { command: "x", env: { TOKEN: "sk-secret" } }, web: { url: "https://x.example/?key=sk-secret" } };
	expect(JSON.stringify(robotMcp(mcp))).toBe('["files","web"]');
	expect(JSON.stringify(robotMcp(new McpServers(mcp)))).toBe('["files","web"]');
	expect(JSON.stringify([robotMcp(), robotMcp("none"), robotMcp(["a"])])).toBe('["inherit","none",["a"]]');
});

describe("a run", () => {
	const work = createTool({ name: "work", description: "works", parameters: { type: "object" }, execute: () => "done here" });

	function robot(options: Partial<RobotOptions>, rounds: ConstructorParameters<typeof ScriptedModel>[0] = ["ok", "ok"]) {
		const model = new ScriptedModel(rounds);
		const made = new Robot({ name: "helper", model, ...options });
		onTestFinished(() => made.disconnect());
		const offered = (index = -1) => model.calls.at(index)?.tools?.map(({ name }) => name) ?? [];
		return { made, offered };
	}

	it("calls tools of servers beside the robot's own, whose names stay theirs", async () => {
		const calls = { toolCalls: [{ name: "work" }, { name: "it_work" }, { name: "other" }] };
		const { made, offered } = robot({ localTools: [work], mcp: { it: hostile("works") } }, [calls, "ok"]);
		const { toolCalls } = await made.run("work");
		expect(offered()).toEqual(["work", "it_work", "other"]);
		expect(toolCalls.map(({ content }) => content)).toEqual(["done here", "work done", "other done"]);
		expect(made.mcpStatus).toMatchObject([{ name: "it", state: "connected" }]);
	});

	it.each([{ mcp: "none" }, { tools: "none" }, { mcp: [] }, { tools: [] }] as const)(
		"starts no server where it says %j",
		async (options) => {
			const { options: server, starts } = counted();
			const { made, offered } = robot({ localTools: [work], mcp: { it: server } });
			await made.run("work", options);
			expect([starts(), offered()]).toEqual([0, "tools" in options ? [] : ["work"]]);
			// the control
			await made.run("work");
			expect([starts(), offered()]).toEqual([1, ["work", "it_work", "other"]]);
		},
	);

	it("finds its own servers as they were when the robot was given another config, and others when it was given others", async () => {
		const { options: server, starts } = counted();
		const { made } = robot({ mcp: { it: server } });
		await made.run("work");
		await made.update({ config: { temperature: 0.5 } }).run("work");
		expect(starts()).toBe(1);
		// the control
		made.update({ mcp: { it: server } });
		expect(made.mcpStatus).toMatchObject([{ name: "it", state: "idle" }]);
	});

	it("has the tools that the nearest level chooses, of servers too, and no name that nobody has", async () => {
		configure({ mcpServers: { it: hostile("works") }, tools: ["other", "gone"] });
		const { made, offered } = robot({ localTools: [work] });
		await made.run("work");
		expect(offered()).toEqual(["other"]);
		await made.run("work", { tools: ["it_work", "work"] });
		expect(offered()).toEqual(["it_work", "work"]);
		await expect(made.run("work", { tools: ["gone"] })).rejects.toThrow(
			'run() was given the tool name "gone", which this robot does not have. It has work, it_work, other.',
		);
	});

	it("that is aborted ends, whatever a server does", async () => {
		const { made } = robot({ mcp: { it: hostile("says nothing") } });
		const stop = new AbortController();
		const running = made.run("work", { signal: stop.signal });
		await expect.poll(() => made.mcpStatus[0]?.state).toBe("connecting");
		stop.abort();
		expect((await running).stopReason).toBe("aborted");
	});

	it("after another goes on with the same server, also when the robot was changed in between", async () => {
		const { options, starts } = counted();
		const { made } = robot({ mcp: { it: options } });
		await made.run("work");
		await made.withInstructions("Be brief.").run("work");
		expect(starts()).toBe(1);
	});

	it.skipIf(!canLookForSurvivors)("leaves its servers to the robot, which ends them at once when it is given others", async () => {
		const marker = uniqueSleep();
		const { made } = robot({ mcp: { it: hostile("works", {}, marker) } });
		await made.run("work");
		expect(await untilLiving(marker, 3)).toHaveLength(3);
		made.update({ systemPrompt: "Be brief." });
		expect(made.mcpStatus).toMatchObject([{ state: "connected" }]);
		made.update({ mcp: "none" });
		expect(await untilLiving(marker, 0)).toEqual([]);
	});

	it.skipIf(!canLookForSurvivors)(
		"goes on with the servers it began with when the robot is given others, and they end with the last such run",
		async () => {
			const marker = uniqueSleep();
			const other = new AbortController();
			const change = createTool({
				name: "change",
				description: "Gives the robot other servers.",
				execute: () => {
					made.update({ mcp: { other: hostile("works") } });
					return "changed";
				},
			});
			const asked = Promise.withResolvers<void>();
			const waits = () => {
				asked.resolve();
				return { text: "wait", hang: true };
			};
			const { made } = robot({ localTools: [change], mcp: { it: hostile("works", {}, marker) } }, [
				waits,
				{ toolCalls: [{ name: "change" }] },
				{ toolCalls: [{ name: "work" }] },
				"ok",
			]);
			const waiting = made.run("work", { signal: other.signal });
			await asked.promise;
			const { toolCalls } = await made.run("work");
			expect(toolCalls.map(({ content }) => content)).toEqual(["changed", "work done"]);
			expect(made.mcpStatus).toMatchObject([{ name: "other", state: "idle" }]);
			expect(await untilLiving(marker, 3)).toHaveLength(3);
			other.abort();
			await waiting;
			expect(await untilLiving(marker, 0)).toEqual([]);
		},
	);

	it.skipIf(!canLookForSurvivors)("leaves its servers to the robot, which ends them with its block", async () => {
		const marker = uniqueSleep();
		{
			await using made = new Robot({ name: "helper", model: new ScriptedModel("ok"), mcp: { it: hostile("works", {}, marker) } });
			await made.run("work");
			expect(await untilLiving(marker, 3)).toHaveLength(3);
		}
		expect(await untilLiving(marker, 0)).toEqual([]);
	});
});

describe("a named tool of a server", () => {
	const naming = (behaviour: string, options: Partial<RobotOptions> = {}): Robot => {
		const robot = new Robot({
			name: "bob",
			model: new ScriptedModel(["one", "two"]),
			localTools: [createTool({ name: "own", description: "Its own.", execute: () => "" })],
			mcp: { it: hostile(behaviour) },
			tools: ["own", "work"],
			...options,
		});
		onTestFinished(() => robot.disconnect());
		return robot;
	};

	it("that is not asked, or down, is passed over: the robot works with what is there", async () => {
		await expect(naming("works").run("x", { mcp: "none" })).resolves.toMatchObject({ stopReason: "stop" });
		await expect(naming("never-answers", { mcp: { it: { command: "no-such-program-4711" } } }).run("x")).resolves.toMatchObject({
			stopReason: "stop",
		});
	});

	it("that has no such tool is a mistake", async () => {
		await expect(naming("works", { tools: ["own", "wrok"] }).run("x")).rejects.toThrow('Did you mean "work"?');
		await expect(naming("works").run("x", { tools: ["nobody"] })).rejects.toThrow("nobody");
	});
});

it("servers that are disconnected while a run asks for them end no run: it goes on without", async () => {
	const robot = new Robot({ name: "bob", model: new ScriptedModel(["without"]), mcp: { it: hostile("works") } });
	const running = robot.run("x");
	await robot.disconnect();
	await expect(running).resolves.toMatchObject({ stopReason: "stop", lastTextContent: "without" });
	await robot.disconnect();
});
