import type { List } from "./expressions.js";
import { ProfileError } from "./profile-error.js";

/** Modifiers that change what is logged or sent, not what is decided, and the kind of value each takes. */
const MODIFIERS: Readonly<Record<string, "string" | "symbol" | undefined>> = {
	report: undefined,
	"no-report": undefined,
	"no-log": undefined,
	telemetry: undefined,
	"no-sandbox": undefined,
	message: "string",
	"send-signal": "symbol",
};

/** Throws a {@link ProfileError} for a `(with …)` that is not known or stands where it may not. */
export function checkModifier(list: List, operations: ReadonlySet<string>): void {
	const [, name, value, ...more] = list.items;
	if (name?.kind !== "symbol" || !Object.hasOwn(MODIFIERS, name.value)) {
		throw new ProfileError("profile_unsupported", "a modifier is not known", list.line);
	}
	if (value?.kind !== MODIFIERS[name.value] || more.length > 0) {
		throw new ProfileError("profile_syntax", `(with ${name.value} …) has the wrong values`, list.line);
	}
	if (name.value === "no-sandbox" && [...operations].some((operation) => !operation.startsWith("process-exec"))) {
		throw new ProfileError("profile_syntax", "(with no-sandbox) belongs to process-exec*", list.line);
	}
}
