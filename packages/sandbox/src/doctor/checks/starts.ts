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

/** What every computer has. */
const start = (name: string, script: string, run: Check["run"]): Check => ({
	name: `${name} starts`,
	why: "Scripts in it could not be run at all.",
	platforms: EVERYWHERE,
	expect: "works",
	script,
	run,
});
/** What is checked where it is installed. */
const startWhereThere = (
	...[name, script, run, platforms = EVERYWHERE]: [...Parameters<typeof start>, (readonly DoctorPlatform[])?]
): Check => ({
	...start(name, script, run),
	platforms,
	optional: true,
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
	startWhereThere("python3, first on PATH,", PYTHON, byName("python3")),
	startWhereThere(
		"python3 of the system",
		PYTHON,
		byPlace(() => ["/usr/bin/python3"]),
	),
	startWhereThere(
		"python3 of Homebrew",
		PYTHON,
		byPlace(() => ["/opt/homebrew/bin/python3", "/usr/local/bin/python3"]),
		["darwin"],
	),
	startWhereThere(
		"python3 of pyenv",
		PYTHON,
		byPlace(() => [atHome(".pyenv/versions/*/bin/python3")]),
	),
	startWhereThere("node, first on PATH,", NODE, byName("node")),
	start("node, this process's own,", NODE, (file) => [process.execPath, file]),
	startWhereThere(
		"node of Homebrew",
		NODE,
		byPlace(() => ["/opt/homebrew/bin/node", "/usr/local/bin/node"]),
		["darwin"],
	),
	startWhereThere(
		"node of nvm",
		NODE,
		byPlace(() => [atHome(".nvm/versions/node/*/bin/node")]),
	),
	startWhereThere("ruby", RUBY, byName("ruby")),
	start("perl", PERL, byName("perl")),
	{
		...startWhereThere("git", GIT, byName("bash")),
		run: (file) => {
			const git = byName("git")(file);
			return typeof git === "string" ? git : ["bash", file];
		},
	},
];
