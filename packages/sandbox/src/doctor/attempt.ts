import { setTimeout as delay } from "node:timers/promises";
import { Capabilities, runUnconfined, type ScriptOptions, type ScriptResult } from "@robot-lab/core";
import { type ExecutorHost, runEnabled } from "../run/executor.js";
import type { StrategyName } from "../strategy/strategy.js";
import type { Check, DoctorPlatform, Trace } from "./check.js";
import { firstChange } from "./guarded.js";
import type { Listeners } from "./listeners.js";
import { type Scene, setScene } from "./scene.js";
import { settingsFor } from "./settings.js";

/** What a check is tried with. */
export interface Laboratory {
	readonly host: ExecutorHost;
	readonly platform: DoctorPlatform;
	readonly backend: Exclude<StrategyName, "none">;
	readonly listeners: Listeners;
	readonly signal?: AbortSignal | undefined;
}

/** One script that was run, and everything to be seen of it. */
export interface Attempt extends Trace {
	readonly result: ScriptResult;
	readonly isThrough: boolean;
	/** What of the guarded is not as it was, the first of it. */
	readonly change: string | undefined;
}

const TIMEOUT_SECONDS = 15;
/** What a script sent is in this process's queue when the script has ended, and is taken from it at the next turn. */
const ARRIVAL_MS = 5;

export const tryOutside = (check: Check, laboratory: Laboratory): Promise<Attempt> => attempt(check, check.script, laboratory, runOutside);

export const tryInside = (check: Check, laboratory: Laboratory): Promise<Attempt> =>
	attempt(check, check.lingers === true ? `${check.script}\nsleep 60` : check.script, laboratory, runInside);

type Run = (check: Check, scene: Scene, laboratory: Laboratory) => Promise<ScriptResult>;

async function attempt(check: Check, script: string, laboratory: Laboratory, run: Run): Promise<Attempt> {
	const { listeners, signal } = laboratory;
	const scene = await setScene(check, script, listeners);
	try {
		const before = { arrivals: listeners.arrivals, guarded: scene.guarded() };
		const result = await run(check, scene, laboratory);
		signal?.throwIfAborted();
		await delay(ARRIVAL_MS);
		const trace = { scene, output: result.output, arrived: listeners.arrivals - before.arrivals };
		const isThrough = (await check.isThrough?.(trace)) ?? /^THROUGH$/m.test(result.output);
		return { ...trace, result, isThrough, change: firstChange(before.guarded, scene.guarded()) };
	} finally {
		await scene.remove();
	}
}

function optionsFor(
	{ network = false, timeout = TIMEOUT_SECONDS, limits = {} }: Check,
	scene: Scene,
	{ signal }: Laboratory,
): ScriptOptions {
	const { skillDir, in: cwd, environment: env } = scene;
	const capabilities = new Capabilities({ fsRead: [scene.in], fsWrite: [scene.out], network, timeout, limits });
	return { capabilities, skillDir, cwd, env, ...(signal && { signal }) };
}

const commandFor = (check: Check, scene: Scene): readonly string[] => {
	const command = check.run(scene.file);
	return typeof command === "string" ? [] : command;
};

const runOutside: Run = (check, scene, laboratory) =>
	runUnconfined(commandFor(check, scene), optionsFor(check, scene, laboratory), { timeoutMs: TIMEOUT_SECONDS * 1000, limits: {} });

/** As scripts of skills are run, but for the configuration, which is one that opens the scene and nothing else. */
const runInside: Run = (check, scene, laboratory) =>
	runEnabled({
		command: commandFor(check, scene),
		options: optionsFor(check, scene, laboratory),
		host: laboratory.host,
		settings: settingsFor(laboratory.backend, scene.directory),
	});
