import type { List } from "./expressions.js";
import { ProfileError } from "./profile-error.js";

/** Modifiers that change what is logged or sent, not what is decided, and the kind of value each takes. */
const MODIFIERS: Readonly<Record<string, "string" | "symbol" | undefined>> = {
	report: undefined,
	"no-report": undefined,
	"no-log": undefined,
	telemetry: undefined,
	"no-sandbox": undefined,
	"no-profile": undefined,
	termination: undefined,
	message: "string",
	"send-signal": "symbol",
};

const OF_PROCESS_EXEC: ReadonlySet<string> = new Set(["no-sandbox", "no-profile"]);

/** Throws a {@link ProfileError} for a `(with …)` that is not known or stands where it may not. */
export function checkModifier(list: List, operations: ReadonlySet<string>): void {
	const [, name, value, ...more] = list.items;
	if (name?.kind !== "symbol" || !Object.hasOwn(MODIFIERS, name.value)) {
		throw new ProfileError("profile_unsupported", "a modifier is not known", list.line);
	}
	if (value?.kind !== MODIFIERS[name.value] || more.length > 0) {
		throw new ProfileError("profile_syntax", `(with ${name.value} …) has the wrong values`, list.line);
	}
	if (OF_PROCESS_EXEC.has(name.value) && [...operations].some((operation) => !operation.startsWith("process-exec"))) {
		throw new ProfileError("profile_syntax", `(with ${name.value}) belongs to process-exec*`, list.line);
	}
}
