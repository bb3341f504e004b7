import type { Expression, List } from "./expressions.js";
import { ProfileError, quoted } from "./profile-error.js";

/** What `(param "NAME")` stands for, as `sandbox-exec -D NAME=VALUE` says it. Values are never read as profile text. */
export type ProfileParams = Readonly<Record<string, string>>;

/** The expression with text in the place of every `(param …)`, `(getenv …)` and `(string-append …)`. */
export function withTexts(expression: Expression, params: ProfileParams): Expression {
	if (expression.kind !== "list") return expression;
	const [head] = expression.items;
	const name = head?.kind === "symbol" ? head.value : "";
	const { start, end, line } = expression;
	if (name === "param" || name === "getenv") return { kind: "string", value: paramOf(expression, params), start, end, line };
	const items = expression.items.map((item) => withTexts(item, params));
	return name === "string-append" ? { kind: "string", value: joined(items), start, end, line } : { ...expression, items };
}

function paramOf(list: List, params: ProfileParams): string {
	const [, name, ...more] = list.items;
	if (name?.kind !== "string" || more.length > 0) throw new ProfileError("profile_syntax", "(param …) takes one string", list.line);
	const value = Object.hasOwn(params, name.value) ? params[name.value] : undefined;
	if (value === undefined) throw new ProfileError("profile_syntax", `no value is given for the parameter ${quoted(name.value)}`, list.line);
	return value;
}

function joined(items: readonly Expression[]): string {
	return items
		.slice(1)
		.map((part) => {
			if (part.kind !== "string") throw new ProfileError("profile_syntax", "(string-append …) takes strings", part.line);
			return part.value;
		})
		.join("");
}
