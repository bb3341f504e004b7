import { extname } from "node:path";
import { isProgram } from "./interpreter.js";

const DATA_EXTENSIONS: ReadonlySet<string> = new Set(
	(
		".json .jsonl .ndjson .json5 .geojson .ipynb .xml .xsd .xsl .xslt .dtd .rng .wsdl .svg .html .htm .css .scss .less " +
		".txt .text .md .mdx .markdown .rst .adoc .tex .csv .tsv .yaml .yml .toml .ini .cfg .conf .properties .env .lock .log " +
		".sql .graphql .proto .tmpl .template .j2 .jinja .mustache .hbs .ejs .diff .patch .map .snap " +
		".gz .tgz .zip .tar .bz2 .xz .zst .7z .rar .whl .jar .war .class .pyc .pyo .pyd .so .dylib .dll .o .a .wasm .node " +
		".png .jpg .jpeg .gif .webp .bmp .ico .tif .tiff .mp3 .mp4 .wav .mov .webm .ttf .otf .woff .woff2 .eot " +
		".pdf .doc .docx .dotx .xls .xlsx .ppt .pptx .potx .odt .ods .odp .rtf .epub .db .sqlite .sqlite3 .parquet .npy .pkl " +
		".pem .crt .key .bak .orig .swp .tmp"
	).split(" "),
);
/** What no program reads line by line: it is compiled, built in, or another system's. With a first line that names an interpreter it is a script. */
const SOURCE_EXTENSIONS: ReadonlySet<string> = new Set(
	".go .rs .java .kt .scala .swift .c .h .cc .cpp .hpp .cs .fs .jsx .tsx .vue .svelte .astro .bat .cmd .vbs .applescript .scpt".split(" "),
);
/** What other programs look for by its name. */
const OTHERS_FILE =
	/^(makefile|gnumakefile|dockerfile|containerfile|gemfile|rakefile|pipfile|procfile|brewfile|vagrantfile|jenkinsfile|justfile)$/i;
/** What only a test runner starts. A file called `test_…` may be a script that tests something. */
const TEST_RUNNERS_FILE = /^conftest\.py$|\.(test|spec)\.[cm]?[jt]s$/i;
const LEGAL_OR_READING_MATTER =
	/^(licen[cs]e|copying|copyright|notice|authors|contributors|readme|changelog|changes|history|todo)([._-].*)?$/i;

/** Why a file can be no script, by its name alone; `undefined` when it may be one. */
export function noScriptByName(name: string): string | undefined {
	if (name.startsWith(".")) return "it is a dotfile";
	if (name === "__init__.py") return "it marks a Python package";
	if (OTHERS_FILE.test(name)) return "another program looks for it by its name";
	if (TEST_RUNNERS_FILE.test(name)) return "it is for a test runner";
	if (LEGAL_OR_READING_MATTER.test(name)) return "it is text for people";
	if (DATA_EXTENSIONS.has(extname(name).toLowerCase()) || /\.d\.[cm]?ts$/i.test(name) || name.endsWith("~")) return "it is a data file";
	return undefined;
}

/** Why a file can be no script, by the beginning of what is in it. */
export function noScriptByContent(head: Uint8Array): string | undefined {
	if (Buffer.from(head).toString("latin1").trim() === "") return "it is empty";
	return head.includes(0) && !isProgram(head) ? "it is a data file" : undefined;
}

/** Why a file without a first line that names an interpreter can be no script. */
export function noScriptWithoutInterpreter(name: string): string | undefined {
	const extension = extname(name).toLowerCase();
	return SOURCE_EXTENSIONS.has(extension) ? `it names no interpreter, and none reads ${extension}` : undefined;
}
