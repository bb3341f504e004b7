// Makes a fresh clone ready: what must be there before anything else runs. Plain JavaScript that Node 20 can run.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
const stampFile = join(root, "node_modules", ".robot-lab-installed");

/** pnpm at the version that package.json pins, through npx, so that nothing has to be installed for the whole machine. */
const pnpm = ["npx", "--yes", JSON.parse(readFileSync(join(root, "package.json"), "utf8")).packageManager];

/** One line per thing that is missing; empty on a machine that has all it takes. */
export function missing() {
	const lines = [];
	if (Number(process.versions.node.split(".")[0]) < 20) {
		lines.push(`Node.js 20 or newer is needed, this is ${process.version}: install one from https://nodejs.org`);
	}
	if (!runs("npx", ["--version"])) lines.push("npx is needed: install npm, which brings it");
	if (process.platform === "win32") lines.push("Linux, macOS or WSL is needed: scripts run in POSIX shells, which Windows does not have");
	else if (!runs("bash", ["-c", "exit 0"])) lines.push("bash is needed: install it with the system's package manager");
	return lines;
}

/** Installs the workspace unless the last install was of these very manifests. */
export function install() {
	const stamp = manifestHash();
	if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
	const frozen = existsSync(join(root, "pnpm-lock.yaml")) ? ["--frozen-lockfile"] : [];
	// The install runs on the machine's own Node, so it warns of every package that wants a newer one; the pinned one is among what it installs.
	run([...pnpm, "install", "--reporter=append-only", "--loglevel=error", ...frozen], "install the packages from the npm registry");
	writeFileSync(stampFile, manifestHash());
}

/** Runs a task of turbo.json in every package that has it, and ends this process when it fails. */
export function turbo(args) {
	const status = turboStatus(args);
	if (status !== 0) process.exit(status);
}

/** Runs a program of the workspace through pnpm, for those that call pnpm themselves. */
export function pnpmExec(args) {
	run([...pnpm, "exec", ...args], `run ${args[0]}`);
}

/** The same, but the exit status is the caller's to judge. turbo calls pnpm for each package, hence through pnpm. */
export function turboStatus(args) {
	return statusOf([...pnpm, "exec", "turbo", "run", ...args], `run the ${args[0]} task`);
}

/** Runs one program with the pinned Node first on PATH and ends this process when it fails. */
export function run(command, purpose) {
	const status = statusOf(command, purpose);
	if (status !== 0) process.exit(status);
}

function statusOf(command, purpose) {
	const { status, signal, error } = spawnSync(command[0], command.slice(1), { cwd: root, stdio: "inherit", env: environment() });
	if (error) fail(`Could not ${purpose}: ${error.message}`);
	if (signal) process.exit(130);
	return status ?? 1;
}

/** Says one line and ends with 1. */
export function fail(line) {
	console.error(line);
	process.exit(1);
}

function runs(program, args) {
	return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

function environment() {
	const bin = join(root, "node_modules", ".bin");
	return { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
}

function manifestHash() {
	const hash = createHash("sha256").update(process.platform).update(process.arch);
	for (const file of manifests()) hash.update(file).update(readFileSync(join(root, file)));
	return hash.digest("hex");
}

function manifests() {
	const fixed = ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml"].filter((file) => existsSync(join(root, file)));
	return [...fixed, ...packageFolders().map((folder) => join(folder, "package.json"))];
}

/** The folders of the workspace's packages, relative to the root, sorted. */
export function packageFolders() {
	return ["packages", "apps"]
		.flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(parent, name)))
		.filter((folder) => existsSync(join(root, folder, "package.json")))
		.sort();
}
