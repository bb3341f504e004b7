import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { configure, reloadConfig } from "../../src/config/configure.js";
import type { Network } from "../../src/network/network.js";
import { type LoadNetworkOptions, loadNetwork } from "../../src/network-file/load-network.js";
import type { Delegate } from "../../src/robot/delegation-future.js";
import { robotThat } from "../network/robots.js";

/** A folder with these files in it, in whose `prompts` templates are looked for; gone when the test is. */
export function folder(files: Readonly<Record<string, string | Uint8Array>>): string {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "robot-lab-network-")));
	onTestFinished(() => {
		rmSync(root, { recursive: true, force: true });
		reloadConfig();
	});
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(root, name)), { recursive: true });
		writeFileSync(join(root, name), text);
	}
	configure({ templatePath: join(root, "prompts") });
	return root;
}

/** The network of a text, with robots that answer offline where it names no model. */
export const load = (
	yaml: string | Uint8Array,
	options: LoadNetworkOptions = {},
	files: Readonly<Record<string, string>> = {},
): Promise<Network<string>> => loadNetwork(join(folder({ "lab.yaml": yaml, ...files }), "lab.yaml"), { model: "offline", ...options });

/** What a text is refused with; the folder's path is taken out. */
export async function refusal(yaml: string | Uint8Array, options: LoadNetworkOptions = {}, files: Readonly<Record<string, string>> = {}) {
	const root = folder({ "lab.yaml": yaml, ...files });
	try {
		await loadNetwork(join(root, "lab.yaml"), { model: "offline", ...options });
	} catch (error) {
		const { name, code, message } = error as Error & { readonly code?: string };
		return { name, code, message: message.replaceAll(`${root}/`, "") };
	}
	throw new Error("it was not refused");
}

/** Robots by name, each a function of what it is asked. */
export const robots = (answers: Readonly<Record<string, string | ((message: string) => string)>>): Record<string, Delegate> =>
	Object.fromEntries(
		Object.entries(answers).map(([name, answer]) => [
			name,
			robotThat((message) => (typeof answer === "string" ? answer : answer(message)), name),
		]),
	);

/** A network with these lines below `tasks`, and a robot `r`. */
export const withTasks = (...lines: readonly string[]): string =>
	["name: lab", "robots:", "  r: {}", "tasks:", ...lines.map((line) => `  ${line}`)].join("\n");
