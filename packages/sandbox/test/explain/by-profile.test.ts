import { symlinkSync } from "node:fs";
import { join, posix } from "node:path";
import { Capabilities, type CapabilitiesInit, configure, reloadConfig } from "@robot-lab/core";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { explain } from "../../src/explain/explain.js";
import type { Explanation } from "../../src/explain/explanation.js";
import { evaluateProfile } from "../../src/sbpl/index.js";
import { macPath } from "../../src/seatbelt/mac-path.js";
import { Seatbelt } from "../../src/seatbelt/seatbelt.js";
import { facts, HOME, PROJECT, SKILL } from "../seatbelt/pretend-mac.js";
import { put, workshop } from "../support/workshop.js";

/** What is said of a Mac, from wherever this is run. */
function onMac(grant: CapabilitiesInit, questions: readonly string[], more: object = {}): Promise<Explanation> {
	onTestFinished(() => {
		reloadConfig();
	});
	configure({ sandbox: { enabled: true, fsRead: ["/"], fsWrite: ["/"], network: true } });
	return explain({ capabilities: new Capabilities(grant), skillDir: SKILL, platform: "darwin", hostFacts: facts(), questions, ...more });
}

const WRITABLE = `${PROJECT}/out`;

describe.skipIf(process.platform === "darwin")("explain, of a Mac from elsewhere", () => {
	it.each([
		[`read ${PROJECT}/data/x`, true, `(allow file-read* (subpath "${PROJECT}/data"))`, "granted by fs_read, for reading only"],
		[`list ${PROJECT}/data`, true, `(allow file-read* (subpath "${PROJECT}/data"))`, "granted by fs_read, for reading only"],
		[`list ${PROJECT}`, false, "(deny default)", "what is not allowed is denied"],
		[`write ${PROJECT}/data/x`, false, "(deny default)", "what is not allowed is denied"],
		[`read ${HOME}/.ssh/id_ed25519`, false, "(deny default)", "what is not allowed is denied"],
		[`read ${SKILL}/SKILL.md`, true, `(allow file-read* (subpath "${SKILL}"))`, "the skill's own directory"],
		[`write ${SKILL}/SKILL.md`, false, "(deny default)", "what is not allowed is denied"],
		["read /etc/passwd", true, '(allow file-read* (literal "/private/etc/passwd"))', "libc's look-ups"],
		["read /etc/master.passwd", false, "(deny default)", "what is not allowed is denied"],
		[
			"read /System/Volumes/Data/Volumes2/x",
			false,
			'(deny file-read* (subpath "/System/Volumes/Data"))',
			"the user's disk by its other name, should anything above come to cover it",
		],
		[
			`read /System/Volumes/Data${PROJECT}/data/x`,
			true,
			`(allow file-read* (subpath "${PROJECT}/data"))`,
			"granted by fs_read, for reading only",
		],
		["run /bin/bash", true, '(allow file-read* (subpath "/bin"))', "to run, it has to be read; programs"],
		[`run ${HOME}/bin/tool`, false, "(deny default)", "to run, it has to be read; what is not allowed is denied"],
		["signal others", false, "(deny default)", "what is not allowed is denied"],
		["connect example.com:443", false, "(deny default)", "looking up a name asks this service; what is not allowed is denied"],
		["connect 192.0.2.7:443", false, "(deny default)", "what is not allowed is denied"],
		["connect /var/run/docker.sock", false, "(deny default)", "what is not allowed is denied"],
		["listen 8080", false, "(deny default)", "what is not allowed is denied"],
		["resolve example.com", false, "(deny default)", "looking up a name asks this service; what is not allowed is denied"],
		[
			"env SSH_AUTH_SOCK",
			false,
			"the host's variable is not handed over",
			"whoever sets it chooses code that programs load, so no script gets it",
		],
		[
			"env OPENAI_API_KEY",
			false,
			"the host's variable is not handed over",
			"its name is a secret's; name it in sandbox.envPass to hand it over",
		],
		[
			"env EDITOR",
			false,
			"the host's variable is not handed over",
			"it is not on the list of what scripts inherit; name it in sandbox.envPass to hand it over",
		],
		["env PATH", true, "the host's variable is handed over", "it is on the list of what scripts inherit"],
	])("%s: %s, by the rule of the profile", async (question, allowed, rule, why) => {
		const { answers, strategy, because } = await onMac({ fsRead: [`${PROJECT}/data`] }, [question]);
		expect(answers).toMatchObject([{ question, allowed, rule, why }]);
		expect({ strategy, because }).toEqual({ strategy: "seatbelt", because: 'sandbox.backend is "auto", which is seatbelt on darwin' });
	});

	it("says where the network leads when it is granted, and that unix sockets stay shut", async () => {
		const questions = [
			"connect example.com:443",
			"connect [::1]:80",
			"listen 8080",
			"resolve example.com",
			"connect /var/run/docker.sock",
			"connect ~/agent.sock",
		];
		const { answers } = await onMac({ network: true }, questions);
		expect(answers.map(({ allowed }) => allowed)).toEqual([true, true, true, true, false, false]);
		expect(answers[0]).toMatchObject({ rule: "(allow network-outbound (remote ip))" });
		expect(answers[4]).toMatchObject({ path: "/private/var/run/docker.sock" });
	});

	it("says what may be written, and that a read-only part of it stays read-only and cannot be carried away", async () => {
		const fixed = `${WRITABLE}/deep/fixed`;
		const questions = [
			`write ${WRITABLE}/new`,
			`delete ${WRITABLE}/new`,
			`write ${fixed}/x`,
			`read ${fixed}/x`,
			`delete ${WRITABLE}/deep`,
			`delete ${fixed}/x`,
		];
		const { answers } = await onMac({ fsWrite: [WRITABLE], fsRead: [fixed] }, questions);
		expect(answers.map(({ allowed }) => allowed)).toEqual([true, true, false, true, false, false]);
		expect(answers[0]?.why).toBe("granted by fs_write");
		expect(answers[2]).toMatchObject({ rule: expect.stringMatching(/^\(deny file-write\*/), why: "granted by fs_read, for reading only" });
		expect(answers[4]).toMatchObject({
			rule: expect.stringMatching(/^\(deny file-write.*unlink/),
			why: expect.stringContaining("moved with it"),
		});
	});

	it("says what is protected in what may be written, whether it is there or not, and where protect is off", async () => {
		const questions = [
			`write ${WRITABLE}/.git/hooks/post-commit`,
			`write ${WRITABLE}/.envrc`,
			`delete ${WRITABLE}/.git`,
			`write ${WRITABLE}/.git/HEAD`,
		];
		const { answers } = await onMac({ fsWrite: [WRITABLE] }, questions);
		expect(answers.map(({ allowed }) => allowed)).toEqual([false, false, false, true]);
		for (const answer of answers.slice(0, 3)) expect(answer.why).toMatch(/^protected: /);
		configure({ sandbox: { protect: false } });
		const open = await onMac({ fsWrite: [WRITABLE] }, questions);
		expect(open.answers.map(({ allowed }) => allowed)).toEqual([true, true, true, true]);
	});

	it("follows links of this computer around what is granted, and names the one that leads out", async () => {
		const root = workshop();
		for (const name of ["in/note", "outside/file", "skill/SKILL.md"]) put(join(root, name), "x");
		symlinkSync("../outside/file", join(root, "in/out"));
		symlinkSync("note", join(root, "in/alias"));
		symlinkSync("loop", join(root, "in/loop"));
		symlinkSync("in", join(root, "spelt"));
		const questions = ["in/note", "in/alias", "in/out", "in/loop", "spelt/note"].map((name) => `read ${root}/${name}`);
		const more = { skillDir: join(root, "skill"), cwd: root, hostFacts: undefined };
		const { answers } = await onMac({ fsRead: [join(root, "in")] }, questions, more);
		expect(answers.map(({ allowed, path }) => ({ allowed, path }))).toEqual([
			{ allowed: true, path: `/private${root}/in/note` },
			{ allowed: true, path: `/private${root}/in/note` },
			{ allowed: false, path: `/private${root}/outside/file` },
			{ allowed: false, path: `/private${root}/in/loop` },
			{ allowed: false, path: `/private${root}/in/note` },
		]);
		expect(answers[2]?.why).toContain(`/private${root}/in/out is a symbolic link to ../outside/file`);
		expect(answers[4]?.why).toContain(`/private${root}/spelt is a symbolic link to in`);
		const asDeclared = await onMac({ fsRead: [join(root, "spelt")] }, [`read ${root}/spelt/note`], more);
		expect(asDeclared.answers[0]?.allowed).toBe(true);
	});

	it("agrees with the profile on whatever is granted and asked, and cites rules that stand in it", async () => {
		const places = fc.constantFrom(
			PROJECT,
			WRITABLE,
			`${WRITABLE}/a`,
			`${WRITABLE}/a/b`,
			`${HOME}/Documents`,
			SKILL,
			// what is there decides as what it is: nobody makes this one
			"/tmp/robot-lab-explains-this/x",
			"/Volumes/Disk",
		);
		const some = fc.uniqueArray(places, { maxLength: 3 });
		const name = fc.constantFrom("", "/x", "/a/b/y", "/.git/config", "/.bashrc", "/../up", "/./same");
		const path = fc.tuple(
			fc.oneof(places, fc.constantFrom("/etc/hosts", "/usr/lib/x", "/var/db/dyld/y", "/Users", "/", HOME, "/bin/ls")),
			name,
		);
		const verb = fc.constantFrom("read", "list", "write", "delete", "run");
		const seen = { yes: 0, no: 0 };
		await fc.assert(
			fc.asyncProperty(some, some, fc.array(fc.tuple(verb, path), { minLength: 20, maxLength: 20 }), async (fsRead, fsWrite, asked) => {
				const questions = asked.map(([word, [place, rest]]) => `${word} ${place}${rest}`);
				const { answers, grant } = await onMac({ fsRead, fsWrite }, questions);
				const { profile } = new Seatbelt(grant, { skillDir: SKILL, hostFacts: facts() });
				const decide = evaluateProfile(profile);
				for (const [index, { question, allowed, rule, path: real = "" }] of answers.entries()) {
					expect(real).toBe(macPath(posix.normalize(question.replace(/^\w+ /, ""))));
					const query = { path: real, vnodeType: asked[index]?.[0] === "list" ? "DIRECTORY" : "REGULAR-FILE" } as const;
					const operations = OPERATIONS[asked[index]?.[0] ?? ""] ?? [];
					const decisions = operations.map((operation) => decide(operation, query));
					expect({ question: questions[index], allowed }).toEqual({
						question: questions[index],
						allowed: decisions.every((one) => one.allowed),
					});
					expect(allowed || decisions.some((one) => one.rule === rule)).toBe(true);
					expect(profile).toContain(rule);
					seen[allowed ? "yes" : "no"] += 1;
				}
			}),
			{ numRuns: 150 },
		);
		expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(300);
	});
});

/** What the kernel asks, from the table of system calls. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
	read: ["file-read-metadata", "file-read-data"],
	list: ["file-read-metadata", "file-read-data"],
	write: ["file-write-create", "file-write-data"],
	delete: ["file-write-unlink"],
	run: ["process-exec*", "file-read-metadata", "file-read-data"],
};
