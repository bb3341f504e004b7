import { isAtOrBelow } from "@robot-lab/core/paths";

/** Something that keeps versions of interpreters, each in a directory of its own. */
interface VersionManager {
	readonly name: string;
	/** Where it keeps them by default: absolute, or below the home directory. */
	readonly places: readonly string[];
	/** The host's variable that says where else. */
	readonly variable?: string;
	/** The way from such a place down to one version. */
	readonly version: RegExp;
	/** What a version consists of that lies in the place itself, for a program in its `bin`. */
	readonly base?: readonly string[];
	/** What its stand-ins in `shims` are made of. */
	readonly shims?: readonly string[];
}

const CONDA = ["miniconda3", "anaconda3", "miniforge3", "mambaforge"];
const BREWED_CONDA = ["miniconda", "anaconda", "miniforge"].map((name) => `/opt/homebrew/Caskroom/${name}/base`);
const SHIMS = ["bin", "lib", "libexec", "plugins", "shims", "version"];

/**
 * Where an interpreter may be found together with what it is made of. One version of it at most, and places that nobody uses for
 * anything else: the first line of a script names its interpreter, and must not come to choose what else can be read.
 */
const MANAGERS: readonly VersionManager[] = [
	{ name: "nvm", places: [".nvm", ".config/nvm", "/usr/local/share/nvm"], variable: "NVM_DIR", version: /^versions\/node\/[^/]+/ },
	{
		name: "fnm",
		places: [".fnm", ".local/share/fnm", "Library/Application Support/fnm"],
		variable: "FNM_DIR",
		version: /^node-versions\/[^/]+/,
	},
	{ name: "volta", places: [".volta"], variable: "VOLTA_HOME", version: /^tools\/image\/[^/]+\/[^/]+/ },
	{ name: "pyenv", places: [".pyenv"], variable: "PYENV_ROOT", version: /^versions\/[^/]+/, shims: SHIMS },
	{ name: "rbenv", places: [".rbenv"], variable: "RBENV_ROOT", version: /^versions\/[^/]+/, shims: SHIMS },
	{ name: "nodenv", places: [".nodenv"], variable: "NODENV_ROOT", version: /^versions\/[^/]+/, shims: SHIMS },
	{ name: "asdf", places: [".asdf"], variable: "ASDF_DATA_DIR", version: /^installs\/[^/]+\/[^/]+/, shims: SHIMS },
	{ name: "mise", places: [".local/share/mise"], variable: "MISE_DATA_DIR", version: /^installs\/[^/]+\/[^/]+/ },
	{ name: "uv", places: [".local/share/uv/python"], variable: "UV_PYTHON_INSTALL_DIR", version: /^(cpython|pypy|graalpy)-[^/]+/ },
	{
		name: "conda",
		places: [...CONDA, ...CONDA.map((name) => `/opt/${name}`), "/opt/conda", ...BREWED_CONDA],
		version: /^envs\/[^/]+/,
		base: ["bin", "lib", "share", "ssl"],
	},
	{ name: "runners of GitHub", places: [], variable: "RUNNER_TOOL_CACHE", version: /^(node|Python|PyPy|Ruby)\/[^/]+\/[^/]+/ },
	{ name: "python.org", places: ["/Library/Frameworks/Python.framework"], version: /^Versions\/[^/]+/ },
	{ name: "PowerShell", places: ["/usr/local/microsoft/powershell"], version: /^[^/]+/ },
	{ name: "npm", places: ["/usr/local/lib/node_modules"], version: /^(npm|corepack)/ },
	// Readable to every user of a computer by its design, and what one program needs of it is known to nix alone.
	{ name: "nix", places: ["/nix"], version: /^store/ },
];

/** A place of a version manager on this computer. */
export interface ManagedPlace {
	/** Real. */
	readonly root: string;
	readonly manager: VersionManager;
}

/** The places that could be here, whether they are or not. `realOf` resolves links. */
export function managedPlaces(
	home: string,
	host: Readonly<Record<string, string | undefined>>,
	realOf: (path: string) => string,
): readonly ManagedPlace[] {
	return MANAGERS.flatMap((manager) => {
		const chosen = manager.variable === undefined ? undefined : host[manager.variable];
		const places = manager.places.map((place) => (place.startsWith("/") ? place : `${home === "/" ? "" : home}/${place}`));
		const all = chosen?.startsWith("/") ? [...places, chosen] : places;
		return [...new Set(all.map(realOf))].map((root) => ({ root, manager }));
	});
}

/** The directory of the version that the program at `realPath` belongs to, or its parts; `undefined` where it belongs to none. */
export function versionRoots(realPath: string, places: readonly ManagedPlace[]): readonly string[] | undefined {
	for (const { root, manager } of places) {
		const rest = restBelow(realPath, root);
		if (rest === undefined) continue;
		const version = manager.version.exec(rest)?.[0];
		if (version !== undefined && rest[version.length] === "/") return [`${root}/${version}`];
		if (manager.base !== undefined && rest.startsWith("bin/")) return manager.base.map((name) => `${root}/${name}`);
	}
	return undefined;
}

/** The place whose stand-in a program is, and the program's name. */
export function shimOf(realPath: string, places: readonly ManagedPlace[]): (ManagedPlace & { readonly program: string }) | undefined {
	for (const place of places) {
		const [, program] = /^shims\/([^/]+)$/.exec(restBelow(realPath, place.root) ?? "") ?? [];
		if (program !== undefined && place.manager.shims !== undefined) return { ...place, program };
	}
	return undefined;
}

const restBelow = (path: string, root: string): string | undefined =>
	path !== root && isAtOrBelow(path, root) ? path.slice(root.length + 1) : undefined;
