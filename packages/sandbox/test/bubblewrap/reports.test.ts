import type { ScriptResult } from "@robot-lab/core";
import { describe, expect, it } from "vitest";
import { groupFile, passwdFile } from "../../src/bubblewrap/account-files.js";
import { concludeRun } from "../../src/bubblewrap/diagnose.js";
import { GO, LOOK, readReport } from "../../src/bubblewrap/inner-shell.js";
import { whyNamespacesFail } from "../../src/bubblewrap/why-namespaces-fail.js";

describe("readReport()", () => {
	it.each([
		["ended 0\n", 0, undefined],
		["ended 137\n", 137, undefined],
		["Killed\nended 137\n", 137, 9],
		['sh: line 3:     3 Segmentation fault      ( exec "$@" 2>&9 9>&- )\nended 139\n', 139, 11],
		["ended 141\n", 141, undefined],
		["", 137, 9],
		["sh: 3: exec: x: not found\nended 127\n", 127, undefined],
	])("takes %j with exit code %i for signal %s", (report, exitCode, signal) => {
		expect(readReport(report, exitCode)).toEqual({ signal });
	});
});

describe("concludeRun()", () => {
	const result: ScriptResult = {
		output: "bwrap: Can't find source path /x: No such file or directory\n",
		exitCode: 1,
		signal: null,
		timedOut: false,
		aborted: false,
		truncatedBytes: 0,
		durationMs: 1,
		confinement: "bubblewrap",
	};
	const started = '{ "child-pid": 4711 }\n';
	const ran = `${started}{ "exit-code": 1 }\n`;

	it("takes a run in which bwrap never came to its command for a refusal that names bwrap's reason", () => {
		for (const status of ["", started]) {
			const { refusal, output } = concludeRun(result, { status, report: "", answer: undefined });
			expect(refusal).toMatchObject({ code: "profile_rejected", message: expect.stringContaining("Can't find source path /x") });
			expect(output).toBe("");
		}
	});

	it("leaves a script's own exit code 1 alone, whatever it printed", () => {
		expect(concludeRun(result, { status: ran, report: "ended 1\n", answer: GO })).toEqual(result);
	});

	it("refuses nothing that was ended from outside", () => {
		for (const ending of [{ timedOut: true }, { aborted: true }, { exitCode: null, signal: "SIGKILL" }]) {
			expect(concludeRun({ ...result, ...ending }, { status: started, report: "", answer: undefined }).refusal).toBeUndefined();
		}
	});

	it("refuses a run that was answered no, whatever the shell reports, and none that was answered yes", () => {
		for (const report of ["changed\n", "ended 1\n", ""]) {
			expect(concludeRun(result, { status: ran, report, answer: "" })).toMatchObject({ refusal: { code: "grant_changed" }, output: "" });
			expect(concludeRun(result, { status: ran, report, answer: GO }).refusal).toBeUndefined();
		}
	});

	it("refuses a run whose shell had to look and found something else mounted", () => {
		const answer = `${LOOK}/usr/bin/stat\n`;
		expect(concludeRun(result, { status: ran, report: "changed\n", answer })).toMatchObject({ refusal: { code: "grant_changed" } });
		for (const report of ["sh: 9: exec: x\nchanged\n: not found\nended 1\n", "sh: 9: exec: x\nchanged\n"]) {
			expect(concludeRun(result, { status: ran, report, answer }).refusal).toBeUndefined();
		}
	});

	it("names the signal that a shell complained of", () => {
		const killed = { ...result, exitCode: 139 };
		expect(concludeRun(killed, { status: ran, report: "Segmentation fault\nended 139\n", answer: GO })).toMatchObject({
			exitCode: null,
			signal: "SIGSEGV",
		});
	});
});

describe("whyNamespacesFail()", () => {
	const reading = (files: Record<string, string>) => (path: string) => files[path];
	const first = "         0          0 4294967295";

	it("tells a process inside a sandbox by its user namespace or its filter", () => {
		expect(whyNamespacesFail(reading({ "/proc/self/uid_map": "1000 0 1" })).isNested).toBe(true);
		expect(whyNamespacesFail(reading({ "/proc/self/uid_map": first, "/proc/self/status": "Name:\tnode\nSeccomp:\t2\n" })).isNested).toBe(
			true,
		);
	});

	it("names the switch of the system that is off", () => {
		const files = { "/proc/self/uid_map": first, "/proc/self/status": "Seccomp:\t0\n" };
		const hint = (path: string, value: string): string => whyNamespacesFail(reading({ ...files, [path]: value })).hint;
		expect(hint("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1")).toContain("AppArmor");
		expect(hint("/proc/sys/kernel/unprivileged_userns_clone", "0")).toContain("unprivileged_userns_clone=1");
		expect(hint("/proc/sys/user/max_user_namespaces", "0")).toContain("max_user_namespaces");
		expect(whyNamespacesFail(reading(files))).toEqual({ isNested: false, hint: "" });
	});
});

describe("the account files", () => {
	it("know the script's user, root and nobody", () => {
		const account = { uid: 1001, gid: 100, userName: "u", home: "/home/u" };
		expect(passwdFile(account)).toBe(
			"root:x:0:0:root:/root:/usr/sbin/nologin\nu:x:1001:100::/home/u:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
		);
		expect(groupFile(account)).toBe("root:x:0:\nu:x:100:\nnogroup:x:65534:\n");
	});

	it("have no second entry for nobody, and no field that a home with a colon would begin", () => {
		const account = { uid: 65534, gid: 65534, userName: "nobody", home: "/a:/bin/evil" };
		expect(passwdFile(account)).toBe("root:x:0:0:root:/root:/usr/sbin/nologin\nnobody:x:65534:65534::/:/bin/sh\n");
		expect(groupFile(account)).toBe("root:x:0:\nnobody:x:65534:\n");
	});
});
