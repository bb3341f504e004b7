#!/usr/bin/env node
// Finds broken links between Markdown files: missing files, missing headings, undefined references. Usage: check [--strict] PATH...
//
// @flag --strict Fails when a link is broken.
// @arg paths+ <PATH> The Markdown files, and the folders to search for them.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";

const USAGE = `Usage: check.mjs [--strict] PATH...

Checks the links of Markdown files. A folder is searched for *.md; node_modules and hidden folders are left out.

  --strict  exit 1 when a link is broken
  --help    this text

Exit codes: 0 done, 1 a path cannot be read (or a link is broken, with --strict), 2 wrong usage.
`;

class Unreadable extends Error {}

function readOptions() {
	try {
		const { values, positionals } = parseArgs({
			allowPositionals: true,
			options: { strict: { type: "boolean", default: false }, help: { type: "boolean", short: "h", default: false } },
		});
		if (!values.help && positionals.length === 0) throw new Error("name a Markdown file or a folder, e.g. check.mjs README.md docs");
		return { ...values, paths: positionals };
	} catch (error) {
		console.error(`check: ${error.message}`);
		process.exit(2);
	}
}

function stat(path) {
	try {
		return statSync(path);
	} catch (error) {
		if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
		throw new Unreadable(`${path} cannot be read: ${error.code}`);
	}
}

function markdownFiles(path) {
	const found = stat(path);
	if (!found) throw new Unreadable(`there is no file or folder ${path}`);
	if (!found.isDirectory()) return [path];
	return readdirSync(path, { withFileTypes: true })
		.filter(({ name }) => name !== "node_modules" && !name.startsWith("."))
		.sort((one, other) => (one.name < other.name ? -1 : 1))
		.flatMap((entry) => {
			const inside = join(path, entry.name);
			if (entry.isDirectory()) return markdownFiles(inside);
			return entry.isFile() && entry.name.endsWith(".md") ? [inside] : [];
		});
}

/** The lines of a document with code taken out, so that an example of a link is not taken for one. */
function proseLines(text) {
	let fence;
	return text.split(/\r?\n/).map((line) => {
		const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
		if (fence !== undefined) {
			if (mark?.startsWith(fence)) fence = undefined;
			return "";
		}
		if (mark) {
			fence = mark;
			return "";
		}
		return line.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, (code) => " ".repeat(code.length));
	});
}

/** A heading's anchor as code hosts make it: lower case, punctuation dropped, blanks to hyphens. */
function anchor(heading) {
	const text = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
	return text.trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "").replace(/ /g, "-");
}

const anchorsOf = new Map();

function anchors(path) {
	if (!anchorsOf.has(path)) anchorsOf.set(path, readAnchors(path));
	return anchorsOf.get(path);
}

function readAnchors(path) {
	const found = new Set();
	let fenced = false;
	for (const line of read(path).split(/\r?\n/)) {
		if (/^ {0,3}(```|~~~)/.test(line)) fenced = !fenced;
		if (fenced) continue;
		for (const [, id] of line.matchAll(/<[^>]+\s(?:id|name)="([^"]+)"/g)) found.add(id);
		const heading = /^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$/.exec(line)?.[1];
		if (heading === undefined) continue;
		const base = anchor(heading);
		let name = base;
		for (let copy = 1; found.has(name); copy++) name = `${base}-${copy}`;
		found.add(name);
	}
	return found;
}

function read(path) {
	try {
		return readFileSync(path, "utf8");
	} catch (error) {
		throw new Unreadable(`${path} cannot be read: ${error.code}`);
	}
}

const INLINE = /\[(?:[^[\]]|\[[^\]]*\])*\]\(\s*(?:<([^>]*)>|((?:[^\s()]|\([^\s()]*\))*))(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/g;
const REFERENCE = /\[([^[\]]+)\]\[([^[\]]*)\]/g;
const DEFINITION = /^ {0,3}\[([^\]]+)\]:\s*<?([^\s>]+)>?/;

const key = (label) => label.trim().toLowerCase().replace(/\s+/g, " ");

/** Every link of a document: its line and target, or the label of a reference that nothing defines. */
function linksOf(text) {
	const lines = proseLines(text);
	const defined = new Set(lines.flatMap((line) => (DEFINITION.test(line) ? [key(DEFINITION.exec(line)[1])] : [])));
	return lines.flatMap((line, index) => {
		const definition = DEFINITION.exec(line);
		if (definition && !definition[1].startsWith("^")) return [{ line: index + 1, target: definition[2] }];
		const inline = [...line.matchAll(INLINE)].map(([, angled, bare]) => ({ line: index + 1, target: angled ?? bare }));
		const undefinedLabels = [...line.matchAll(REFERENCE)]
			.map(([, words, label]) => label || words)
			.filter((label) => !defined.has(key(label)))
			.map((label) => ({ line: index + 1, label }));
		return [...inline, ...undefinedLabels];
	});
}

const isElsewhere = (target) => /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target);

function decoded(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** What is wrong with a link of `file`, or undefined. */
function fault(file, { target, label }) {
	if (label !== undefined) return `[${label}] is not defined`;
	const [path, fragment] = target.split("#", 2).map(decoded);
	// A path from the root of a site says nothing about files here.
	if (path.startsWith("/")) return undefined;
	const where = path === "" ? file : resolve(dirname(file), path.replace(/\?.*$/, ""));
	const found = stat(where);
	if (!found) return `${target}: there is no such file`;
	if (!fragment || found.isDirectory() || !where.endsWith(".md")) return undefined;
	return anchors(where).has(fragment.toLowerCase()) || anchors(where).has(fragment) ? undefined : `${target}: there is no heading #${fragment}`;
}

function check(paths) {
	const files = [...new Set(paths.flatMap(markdownFiles))];
	const report = { files: files.length, links: 0, elsewhere: 0, broken: [] };
	for (const file of files) {
		for (const link of linksOf(read(file))) {
			report.links++;
			if (link.target !== undefined && isElsewhere(link.target)) report.elsewhere++;
			else {
				const what = fault(file, link);
				if (what) report.broken.push(`${file}:${link.line}: ${what}`);
			}
		}
	}
	return report;
}

const options = readOptions();
if (options.help) process.stdout.write(USAGE);
else {
	try {
		const { files, links, elsewhere, broken } = check(options.paths);
		for (const line of broken) console.log(line);
		console.log(`${links} links in ${files} files: ${broken.length} broken, ${elsewhere} to other hosts not visited`);
		process.exitCode = options.strict && broken.length > 0 ? 1 : 0;
	} catch (error) {
		if (!(error instanceof Unreadable)) throw error;
		console.error(`check: ${error.message}`);
		process.exitCode = 1;
	}
}
