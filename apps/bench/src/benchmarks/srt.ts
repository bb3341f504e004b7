import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { SandboxManager } from "@anthropic-ai/sandbox-runtime";

/** What a script of ours may read without a grant, so that both are asked for the same. */
const SYSTEM = ["/usr", "/bin", "/lib", "/lib64", "/sbin", "/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives", "/etc/hosts"];

/** Its own helper programs must be readable inside. */
const ownFiles = (): string => realpathSync(dirname(dirname(fileURLToPath(import.meta.resolve("@anthropic-ai/sandbox-runtime")))));

/** Another sandbox for the same script, through its library, or `undefined` where what it needs (bwrap, socat, ripgrep) is not installed. */
export async function sandboxRuntime(path: string): Promise<{ run: () => Promise<void>; stop: () => Promise<void> } | undefined> {
	const { errors } = SandboxManager.checkDependencies();
	if (errors.length > 0) {
		console.error(`sandbox-runtime is left out: ${errors.join("; ")}`);
		return undefined;
	}
	await SandboxManager.initialize({
		network: { allowedDomains: [], deniedDomains: [] },
		filesystem: { denyRead: ["/"], allowRead: [...SYSTEM, ownFiles(), dirname(path)], allowWrite: [], denyWrite: [] },
	});
	return { run: () => wrappedAndRun(`bash ${path}`), stop: () => SandboxManager.reset() };
}

async function wrappedAndRun(command: string): Promise<void> {
	const wrapped = await SandboxManager.wrapWithSandbox(command);
	await new Promise<void>((resolve, reject) => {
		const child = spawn("/bin/bash", ["-c", wrapped], { detached: true, stdio: ["ignore", "pipe", "pipe"] });
		let output = "";
		child.stdout.on("data", (bytes: Buffer) => {
			output += bytes.toString();
		});
		child.stderr.resume();
		child.once("error", reject);
		child.once("close", () => (output === "hello\n" ? resolve() : reject(new Error(`sandbox-runtime printed ${JSON.stringify(output)}`))));
	});
}
