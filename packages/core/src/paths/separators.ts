import { sep } from "node:path";

/** What parts the names of a path here. A backslash is an ordinary character of a name everywhere but on Windows. */
export const SEPARATORS: RegExp = sep === "\\" ? /[/\\]+/ : /\/+/;
