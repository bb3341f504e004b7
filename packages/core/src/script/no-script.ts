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
const LEGAL_OR_READING_MATTER =
	/^(licen[cs]e|copying|copyright|notice|authors|contributors|readme|changelog|changes|history|todo)([._-].*)?$/i;

/** Why a file can be no script, by its name alone; `undefined` when it may be one. */
export function noScriptByName(name: string): string | undefined {
	if (name.startsWith(".")) return "it is a dotfile";
	if (name === "__init__.py") return "it marks a Python package";
	if (LEGAL_OR_READING_MATTER.test(name)) return "it is text for people";
	if (DATA_EXTENSIONS.has(extname(name).toLowerCase()) || /\.d\.[cm]?ts$/i.test(name) || name.endsWith("~")) return "it is a data file";
	return undefined;
}

/** Why a file can be no script, by the beginning of what is in it. */
export function noScriptByContent(head: Uint8Array): string | undefined {
	if (Buffer.from(head).toString("latin1").trim() === "") return "it is empty";
	return head.includes(0) && !isProgram(head) ? "it is a data file" : undefined;
}
