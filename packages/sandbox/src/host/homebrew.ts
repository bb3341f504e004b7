import { readFileSync } from "node:fs";
import { isAtOrBelow } from "@robot-lab/core/paths";
import { realOr } from "./host-paths.js";

/** One version of one formula. */
interface Keg {
	readonly prefix: string;
	readonly formula: string;
	readonly root: string;
}

/** What has to be readable for a program of Homebrew's, and the links through which it finds it. */
export interface HomebrewNeeds {
	readonly roots: readonly string[];
	readonly links: readonly string[];
}

/** Where Homebrew is unless the host's `HOMEBREW_PREFIX` says otherwise. */
export const HOMEBREW_PREFIXES: readonly string[] = ["/opt/homebrew", "/usr/local", "/home/linuxbrew/.linuxbrew"];

const FORMULA = /^[A-Za-z0-9][A-Za-z0-9@+._-]*$/;
/** What lies outside of the formulae: certificates and settings that TLS starts with, and no keys. */
const OUTSIDE: readonly (readonly [formula: RegExp, names: readonly string[]])[] = [
	[/^openssl@[\d.]+$/, ["openssl.cnf", "cert.pem", "certs"]],
	[/^ca-certificates$/, ["cert.pem"]],
];

/** For the program at `realPath`: its own version and the versions of what it depends on; `undefined` for one that is not Homebrew's. */
export function homebrewNeeds(realPath: string, prefixes: readonly string[]): HomebrewNeeds | undefined {
	const own = kegOf(realPath, prefixes);
	if (own === undefined) return undefined;
	const links = [own.formula, ...dependenciesOf(own)].map((formula) => `${own.prefix}/opt/${formula}`);
	const kegs = [own, ...links.flatMap((link) => kegOf(realOr(link), [own.prefix]) ?? [])];
	return { roots: [...new Set(kegs.flatMap((keg) => [keg.root, ...outsideOf(keg)]))], links };
}

function kegOf(realPath: string, prefixes: readonly string[]): Keg | undefined {
	const prefix = prefixes.find((each) => isAtOrBelow(realPath, `${each}/Cellar`));
	if (prefix === undefined) return undefined;
	const [formula = "", version = ""] = realPath.slice(`${prefix}/Cellar/`.length).split("/");
	return formula === "" || version === "" ? undefined : { prefix, formula, root: `${prefix}/Cellar/${formula}/${version}` };
}

function outsideOf({ prefix, formula }: Keg): readonly string[] {
	const [, python] = /^python@(\d+\.\d+)$/.exec(formula) ?? [];
	if (python !== undefined) return [`${prefix}/lib/python${python}`];
	const names = OUTSIDE.find(([pattern]) => pattern.test(formula))?.[1] ?? [];
	return names.map((name) => `${prefix}/etc/${formula}/${name}`);
}

/** By name, from what Homebrew wrote down when it installed the formula. */
function dependenciesOf({ root }: Keg): readonly string[] {
	try {
		const receipt: unknown = JSON.parse(readFileSync(`${root}/INSTALL_RECEIPT.json`, "utf8"));
		const { runtime_dependencies: listed } = receipt as { readonly runtime_dependencies?: unknown };
		if (!Array.isArray(listed)) return [];
		return listed.map((entry) => String(entry?.full_name).split("/").at(-1) ?? "").filter((name) => FORMULA.test(name));
	} catch {
		return [];
	}
}
