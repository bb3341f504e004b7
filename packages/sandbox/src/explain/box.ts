import { ancestorsOf } from "../grant/access-plan.js";

/** A file system that is mounted for a script. */
export interface BoxMount {
	readonly path: string;
	/** `bind` shows a part of the host's; `empty` is memory and goes with the run; `proc` and `dev` are the kernel's, made anew. */
	readonly kind: "bind" | "empty" | "proc" | "dev";
	/** Of a bind, what it shows of the host. */
	readonly source: string;
	readonly isWritable: boolean;
}

/** What bwrap makes inside, read from what it is told. */
export interface Box {
	readonly mounts: ReadonlyMap<string, BoxMount>;
	/** Links that are made, and what they say. */
	readonly links: ReadonlyMap<string, string>;
	/** Files that are made. */
	readonly files: ReadonlySet<string>;
	/** Directories that are made, for themselves or for what is mounted or made in them. */
	readonly directories: ReadonlySet<string>;
	readonly variables: ReadonlyMap<string, string>;
	readonly hasNetwork: boolean;
}

/** Reads the options that `Bubblewrap` makes, so that answers follow from what is really done. Pure. */
export function readBox(options: readonly (readonly string[])[]): Box {
	const mounts = new Map<string, BoxMount>([["/", { path: "/", kind: "empty", source: "", isWritable: true }]]);
	const links = new Map<string, string>();
	const files = new Set<string>();
	const made = new Set<string>();
	const variables = new Map<string, string>();
	const mount = (path: string, kind: BoxMount["kind"], isWritable: boolean, source = ""): unknown =>
		mounts.set(path, { path, kind, source, isWritable });
	let hasNetwork = true;
	for (const [option, first = "", second = ""] of options) {
		if (option === "--ro-bind") mount(second, "bind", false, first);
		else if (option === "--bind") mount(second, "bind", true, first);
		else if (option === "--tmpfs") mount(first, "empty", true);
		else if (option === "--proc") mount(first, "proc", true);
		else if (option === "--dev") mount(first, "dev", true);
		else if (option === "--remount-ro") mounts.set(first, readOnly(mounts.get(first), first));
		else if (option === "--symlink") links.set(second, first);
		else if (option === "--file") files.add(second);
		else if (option === "--dir") made.add(first);
		else if (option === "--setenv") variables.set(first, second);
		else if (option === "--unshare-net") hasNetwork = false;
	}
	const directories = new Set([...made, ...[...mounts.keys(), ...links.keys(), ...files, ...made].flatMap(ancestorsOf)]);
	return { mounts, links, files, directories, variables, hasNetwork };
}

/** bwrap itself refuses to remount what is no mount. */
function readOnly(mount: BoxMount | undefined, path: string): BoxMount {
	if (mount === undefined) throw new Error(`${path} is no mount that could be remounted`);
	return { ...mount, isWritable: false };
}

/** Where on the host lies what a bind shows at a path. */
export function hostPath({ path: root, source }: BoxMount, path: string): string {
	const below = root === "/" ? path : path.slice(root.length);
	const rest = below === "/" ? "" : below;
	return source === "/" ? rest || "/" : `${source}${rest}`;
}
