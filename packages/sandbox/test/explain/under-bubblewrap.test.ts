import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { Capabilities, type CapabilitiesInit, configure } from "@robot-lab/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { explain } from "../../src/explain/explain.js";
import type { Explanation } from "../../src/explain/explanation.js";
import { type Arena, arena, isRoot } from "../bubblewrap/arena.js";
import { noBubblewrap } from "../support/no-bubblewrap.js";
import { put } from "../support/workshop.js";
import { done, scriptOf } from "./deeds.js";

/** What explain says before the run, and what a script then really could. */
async function askAndRun(scene: Arena, questions: readonly string[], grant: CapabilitiesInit, between: () => void = () => {}) {
	const { directory, in: input, out, skillDir } = scene;
	configure({ sandbox: { enabled: true, backend: "bubblewrap", fsRead: ["/"], fsWrite: ["/"], network: true } });
	const capabilities = new Capabilities({ fsRead: [input], fsWrite: [out], timeout: 60, ...grant });
	const command = ["bash", put(join(skillDir, "scripts", "attack"), "", 0o755)];
	const explanation = await explain({ capabilities, skillDir, command, cwd: directory, questions });
	between();
	const { output } = await scene.confined(scriptOf(questions), { grant: { fsRead: [input], fsWrite: [out], timeout: 60, ...grant } });
	return { explanation, could: done(questions, output) };
}

const differences = ({ answers }: Explanation, could: ReadonlySet<string>): readonly object[] =>
	answers.filter(({ question, allowed }) => allowed !== could.has(question));

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const crossed = (verbs: readonly string[], paths: readonly string[]): readonly string[] =>
	paths.flatMap((path) => verbs.map((verb) => `${verb} ${path}`));

/** A directory that is neither in /tmp nor at home, so that the sandbox's own root holds it. */
function elsewhere(): string {
	const path = realpathSync(mkdtempSync("/var/tmp/sandbox-test-"));
	onTestFinished(() => rmSync(path, { recursive: true, force: true }));
	return path;
}

/** Everything that makes a difference, below one directory. */
function furnish({ in: input, out, outside, skillDir, directory }: Arena): readonly string[] {
	put(join(out, "deep/er/fixed/note"), "x");
	put(join(out, "deep/loose"), "x");
	put(join(out, ".git/config"), "x");
	put(join(out, ".git/hooks/pre-commit"), "x");
	put(join(out, ".git/HEAD"), "x");
	put(join(out, ".profile"), "x");
	put(join(skillDir, "data"), "x");
	put(join(input, "tool"), "#!/bin/sh\nexit 0\n", 0o755);
	put(join(outside, "tool"), "#!/bin/sh\nexit 0\n", 0o755);
	put(join(outside, "sub/x"), "x");
	mkdirSync(join(input, "sub"));
	const links = {
		"in/to-outside": "../outside/file",
		"in/to-dir": "../outside/sub",
		"in/to-out": "../out/own",
		"in/to-passwd": "/etc/passwd",
		"in/loop": "loop",
		"out/to-own": "own",
		"out/to-shadow": "/etc/shadow",
		alias: "in",
	};
	for (const [name, target] of Object.entries(links)) symlinkSync(target, join(directory, name));
	const names =
		words(`in in/note in/sub in/tool in/sub/../note in/note/below in/tool/below out out/own out/deep out/deep/er out/deep/er/fixed
		out/deep/er/fixed/note out/deep/loose out/.git out/.git/config out/.git/hooks out/.git/HEAD out/.git/hooks/pre-commit out/.profile
		outside outside/file outside/tool skill skill/data in/to-dir/x alias/note in/../outside/file nowhere nowhere/else`);
	return [...names, ...Object.keys(links)].map((name) => `${directory}/${name}`);
}

describe.skipIf(noBubblewrap !== undefined)(
	`explain, beside real runs under bubblewrap (${noBubblewrap ?? "bubblewrap works here"})`,
	() => {
		it("allows exactly what a script can do with files, in what is granted and around it", async () => {
			const scene = arena();
			// What is protected is so where it exists.
			const questions = [...crossed(["read", "list", "write", "delete", "run"], furnish(scene)), `write ${scene.out}/.bashrc`];
			const fixed = join(scene.out, "deep/er/fixed");
			const { explanation, could } = await askAndRun(scene, questions, { fsRead: [scene.in, fixed] });
			expect(differences(explanation, could)).toEqual([]);
			expect(could.size).toBeGreaterThan(40);
			const { output } = await scene.unconfined(scriptOf(questions));
			const outside = done(questions, output);
			const kept = questions.filter((question) => outside.has(question) && !could.has(question));
			expect(kept).toEqual(
				expect.arrayContaining([
					`read ${scene.outside}/file`,
					`write ${scene.in}/note`,
					`delete ${fixed}`,
					`write ${scene.out}/.git/config`,
				]),
			);
			expect(kept.length).toBeGreaterThan(40);
		});

		it("allows exactly what a script can do with the system's files and with what the sandbox has of its own", async () => {
			const scene = arena();
			const away = elsewhere();
			put(join(away, "granted/note"), "x");
			put(join(away, "other/note"), "x");
			const home = put(join(homedir(), `robot-lab-explain-${process.pid}`), "x");
			onTestFinished(() => rmSync(home, { force: true }));
			const places = [
				...words(`/ /usr /usr/bin/env /bin/sh /lib /etc /etc/passwd /etc/shadow /etc/hosts /etc/resolv.conf /tmp /tmp/new /tmp/new/deeper ~ ~/new
					~/.ssh/id /var /var/tmp /opt/x /new /root/x /home /run /sys /boot/x /proc /proc/1/environ /proc/1 /proc/cpuinfo /proc/kcore /proc/kmsg
					/proc/sys/kernel/hostname /proc/self/status /proc/self/fd /proc/nothing /proc/meminfo /proc/sysrq-trigger /dev /dev/null /dev/zero
					/dev/full /dev/tty /dev/sda /dev/shm /dev/shm/new /dev/pts /dev/new /dev/ptmx /dev/kmsg`),
				...[away, `${away}/granted`, `${away}/granted/note`, `${away}/other/note`, home, scene.directory, `/proc/${process.pid}/environ`],
			];
			const removed = [
				...words("/tmp ~ /etc/passwd /dev/null /dev/stdin /proc/1 /tmp/new /bin"),
				home,
				`${away}/granted`,
				scene.directory,
				dirname(scene.directory),
			];
			const questions = [...crossed(["read", "list", "write", "run"], places), ...crossed(["delete"], removed)];
			const { explanation, could } = await askAndRun(scene, questions, { fsRead: [scene.in, join(away, "granted")] });
			expect(differences(explanation, could)).toEqual([]);
			expect(could.size).toBeGreaterThan(40);
			expect(questions.length - could.size).toBeGreaterThan(80);
		});

		it("knows what is left when everything may be read", async () => {
			const scene = arena();
			const questions = crossed(
				["read", "list", "write"],
				words("/ /etc /etc/shadow /etc/passwd /tmp ~ /proc/1/environ /dev/null /dev/sda /etc/hosts"),
			);
			const asked = [...questions, ...crossed(["read", "write"], [`${scene.outside}/file`, `${scene.out}/own`])];
			const { explanation, could } = await askAndRun(scene, asked, { fsRead: ["/"] });
			expect(differences(explanation, could)).toEqual([]);
			expect(could.has(`read ${scene.outside}/file`)).toBe(true);
		});

		it("speaks of what does not exist yet as it will be once it is there", async () => {
			const scene = arena();
			const future = ["in/new", "in/dir/new", "out/new", "out/dir/new", "outside/new", "out/.git/new"].map(
				(name) => `${scene.directory}/${name}`,
			);
			put(join(scene.out, ".git/config"), "x");
			const questions = crossed(["read", "write"], future);
			const { explanation, could } = await askAndRun(scene, questions, {}, () => {
				for (const path of future) put(path, "x");
			});
			expect(differences(explanation, could)).toEqual([]);
			expect(could.has(`read ${scene.in}/dir/new`)).toBe(true);
		});

		it.skipIf(!isRoot)(
			"knows that even root's scripts have no more than their own permissions (needs root, to give files away)",
			async () => {
				const scene = arena();
				const theirs = (name: string, mode: number): string => {
					const path = join(scene.directory, name);
					chownSync(path, 4242, 4242);
					chmodSync(path, mode);
					return path;
				};
				for (const name of [
					"in/private",
					"in/public",
					"in/locked/x",
					"out/theirs",
					"out/open",
					"out/closed/x",
					"out/sticky/x",
					"out/free/x",
				])
					put(join(scene.directory, name), "x");
				const paths = [
					theirs("in/private", 0o600),
					theirs("in/public", 0o644),
					join(scene.directory, "in/locked/x"),
					theirs("in/locked", 0o700),
				]
					.concat(theirs("out/theirs", 0o644), theirs("out/open", 0o666), theirs("out/closed/x", 0o666), theirs("out/closed", 0o755))
					.concat(theirs("out/sticky/x", 0o666), theirs("out/sticky", 0o1777), theirs("out/free/x", 0o600), theirs("out/free", 0o777));
				const questions = crossed(["read", "list", "write", "delete", "run"], paths);
				const { explanation, could } = await askAndRun(scene, questions, {});
				expect(differences(explanation, could)).toEqual([]);
				expect(could.has(`read ${scene.in}/public`)).toBe(true);
				expect(could.has(`read ${scene.in}/private`)).toBe(false);
				const { output } = await scene.unconfined(scriptOf([`read ${scene.in}/private`]));
				expect(output).toBe("0=yes\n");
			},
		);

		it.each([false, true])("knows the network, sockets, programs, processes and variables, with network: %s", async (network) => {
			const scene = arena();
			const { port } = await listening(createServer(), { port: 0 });
			const socket = join(scene.out, "socket");
			await listening(createServer(), { path: socket });
			process.env.ROBOT_LAB_TEST_TOKEN = "x";
			onTestFinished(() => {
				delete process.env.ROBOT_LAB_TEST_TOKEN;
			});
			const variables = ["PATH", "HOME", "USER", "TMPDIR", "SKILL_DIR", "ROBOT_LAB_TEST_TOKEN", "NODE_OPTIONS", "GIT_CONFIG_GLOBAL"];
			const questions = [`connect 127.0.0.1:${port}`, `connect localhost:${port}`, `connect ${socket}`, "listen 48123", "listen 81"]
				.concat(network ? [] : ["resolve robot-lab.example"], "resolve localhost", "resolve 127.0.0.1")
				.concat("run sh", "run env", "run no-such-program", "run perl", ...variables.map((name) => `env ${name}`));
			const { explanation, could } = await askAndRun(scene, questions, { network });
			expect(differences(explanation, could)).toEqual([]);
			expect(could.has(`connect 127.0.0.1:${port}`)).toBe(network);
			const { output } = await scene.unconfined(scriptOf(questions));
			const usual = [...questions.slice(0, isRoot ? 5 : 4), "env ROBOT_LAB_TEST_TOKEN"];
			expect(usual.filter((question) => !done(questions, output).has(question))).toEqual([]);
			const [signal] = (await explain({ capabilities: new Capabilities(), skillDir: scene.skillDir, questions: ["signal others"] }))
				.answers;
			const killed = `kill -0 ${process.pid} && echo reached`;
			expect({ said: signal?.allowed, confined: (await scene.confined(killed)).output.includes("reached") }).toEqual({
				said: false,
				confined: false,
			});
			expect((await scene.unconfined(killed)).output).toBe("reached\n");
		});
	},
);

async function listening(server: Server, where: { readonly port: number } | { readonly path: string }): Promise<{ readonly port: number }> {
	await new Promise<void>((resolve) => server.listen({ host: "127.0.0.1", ...where }, resolve));
	onTestFinished(() => void server.close());
	const address = server.address();
	return { port: typeof address === "object" && address !== null ? address.port : 0 };
}
