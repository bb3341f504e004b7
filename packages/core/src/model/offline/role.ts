import { stemOf } from "../../text/words.js";
import type { Parameter } from "./parameter.js";

/** What kind of text a parameter is after. */
export type Role = "path" | "url" | "email" | "date" | "time" | "host" | "expression" | "name" | "text" | "any";

const BY_FORMAT: Readonly<Record<string, Role>> = {
	email: "email",
	uri: "url",
	url: "url",
	date: "date",
	"date-time": "date",
	time: "time",
	hostname: "host",
	ipv4: "host",
};

/** In the order they are looked for: a `file name` is a path before it is a name. */
const BY_WORD: readonly (readonly [Role, string])[] = [
	["url", "url uri link website webpage site endpoint href"],
	["email", "email mail recipient cc bcc"],
	["path", "path file filename filepath dir directory folder glob src dest logfile"],
	["expression", "expression formula equation calculation"],
	["host", "host hostname domain ip server address"],
	["date", "date day deadline due when birthday"],
	["time", "time clock hour"],
	[
		"text",
		"query text content message body question term keyword pattern search title subject note prompt phrase topic string sentence comment summary task code command sql",
	],
	[
		"name",
		"name city location place country town region person user username contact assignee author language lang currency timezone zone symbol ticker team company artist source target from to origin destination recipient",
	],
];
const ROLE_OF = BY_WORD.map(([role, words]) => [role, new Set(words.split(" ").map(stemOf))] as const);
const DESCRIBED_PATH = new Set(["path", "file", "directori", "folder"].map(stemOf));
const DESCRIBED_URL = new Set(["url", "uri"]);

/** The role a parameter's format, name or description gives it. */
export function roleOf(parameter: Parameter): Role {
	const byFormat = BY_FORMAT[parameter.format ?? ""];
	if (byFormat !== undefined) return byFormat;
	for (const [role, words] of ROLE_OF) {
		// the last word of a name says what it is: a file name, a source path
		const word = parameter.nameStems.at(-1) ?? "";
		if (words.has(word) && !(role === "host" && word === "address" && parameter.descriptionStems.includes("email"))) {
			return role === "name" || role === "text" ? refined(parameter, role) : role;
		}
	}
	return refined(parameter, "any");
}

/** A description may be plainer than a name: `source`, "path of the file to copy". */
function refined({ descriptionStems }: Parameter, role: Role): Role {
	const head = descriptionStems.slice(0, 6);
	if (role !== "text" && head.some((stem) => DESCRIBED_PATH.has(stem))) return "path";
	if (role !== "text" && head.some((stem) => DESCRIBED_URL.has(stem))) return "url";
	if (role !== "text" && head.includes("email")) return "email";
	return role;
}
