/** What may be a path or an address: no blank, quote, bracket, comma or bar. */
const PIECES = /[^\s"'`‘’“”«»<>()[\]{}|,;]+/gu;
const ADDRESS = /^[a-z][a-z\d+.-]{0,20}:\/\/(?:[^/@]*@)?([^/:?#]*)(?::\d+)?([^?#]*)/i;
/** From the root, somebody's home, here or above, of a drive or a share. */
const STARTING_POINT = /^(?:~|\.{1,2}|[a-z]:|\\)?[/\\]/i;
const NAME_OF_FILE = /[^.]\.\p{L}[\p{L}\p{N}]{0,9}[.:!?…]*$/u;
/** A directory that a program has for itself says what it is about. */
const TELLING_DIRECTORY = /^\.[^.]/;
const HOST = /^[^.].*\.[^.]/;

/**
 * A text without the directories of the paths in it, and of addresses but for their site and the name at their end: where a file lies says nothing of what
 * shall be done, and its words would outweigh those that do. What merely has slashes between words ("read/write", "CI/CD", `text/html`, 24/7) stays.
 */
export const withoutDirectories = (text: string): string =>
	text.replaceAll(PIECES, (piece) => (/[/\\]/.test(piece) ? shortened(piece) : piece));

function shortened(piece: string): string {
	const [address, host = "", path = ""] = ADDRESS.exec(piece) ?? [];
	if (address !== undefined) return [siteOf(host), namesIn(path).at(-1)].filter(Boolean).join(" ");
	const names = namesIn(piece);
	const name = names.pop() ?? piece;
	const isPath = STARTING_POINT.test(piece) || NAME_OF_FILE.test(name);
	if (!isPath || names.length === 0) return piece;
	const [first = ""] = names;
	return [...(HOST.test(first) ? [siteOf(first)] : []), ...names.filter((each) => TELLING_DIRECTORY.test(each)), name].join(" ");
}

/** `github` of `gist.github.com`. */
const siteOf = (host: string): string => host.split(".").at(-2) ?? host;

const namesIn = (path: string): string[] => path.split(/[/\\]+/).filter((name) => name !== "" && !/^(?:~|\.{1,2}|[a-z]:)$/i.test(name));
