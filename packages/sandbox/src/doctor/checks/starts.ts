import { homedir } from "node:os";
import { type Check, type DoctorPlatform, EVERYWHERE } from "../check.js";
import { byName, byPlace } from "../programs.js";

const PYTHON = `import json, os, random, tempfile
os.path.expanduser("~/x"), os.getcwd(), random.random()
print("THROUGH")`;
const NODE = `require("os").cpus(); require("fs").realpathSync("."); console.log("THROUGH");`;
const RUBY = `require "json"; Dir.pwd; puts "THROUGH"`;
const PERL = `use POSIX; use Socket; print "THROUGH\\n";`;
const GIT = "git --version && git hash-object --stdin </dev/null && echo THROUGH";

const atHome = (path: string): string => `${homedir()}/${path}`;

const start = (name: string, script: string, run: Check["run"], platforms: readonly DoctorPlatform[] = EVERYWHERE): Check => ({
	name: `${name} starts`,
	why: "Scripts in it could not be run at all.",
	platforms,
	expect: "works",
	script,
	run,
});

/** Interpreters, each from every place that people install it in. */
export const STARTS: readonly Check[] = [
	start("bash", "echo THROUGH", byName("bash")),
	start(
		"sh",
		"echo THROUGH",
		byPlace(() => ["/bin/sh"]),
	),
	start("env", "echo THROUGH", (file) => ["/usr/bin/env", "bash", file]),
	start("python3, first on PATH,", PYTHON, byName("python3")),
	start(
		"python3 of the system",
		PYTHON,
		byPlace(() => ["/usr/bin/python3"]),
	),
	start(
		"python3 of Homebrew",
		PYTHON,
		byPlace(() => ["/opt/homebrew/bin/python3", "/usr/local/bin/python3"]),
		["darwin"],
	),
	start(
		"python3 of pyenv",
		PYTHON,
		byPlace(() => [atHome(".pyenv/versions/*/bin/python3")]),
	),
	start("node, first on PATH,", NODE, byName("node")),
	start("node, this process's own,", NODE, (file) => [process.execPath, file]),
	start(
		"node of Homebrew",
		NODE,
		byPlace(() => ["/opt/homebrew/bin/node", "/usr/local/bin/node"]),
		["darwin"],
	),
	start(
		"node of nvm",
		NODE,
		byPlace(() => [atHome(".nvm/versions/node/*/bin/node")]),
	),
	start("ruby", RUBY, byName("ruby")),
	start("perl", PERL, byName("perl")),
	{
		...start("git", GIT, byName("bash")),
		run: (file) => {
			const git = byName("git")(file);
			return typeof git === "string" ? git : ["bash", file];
		},
	},
];
