import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import { type Subscription, subscription } from "../stream/subscription.js";
import { describeValue, isList } from "../text/describe-value.js";
import { checkHook } from "./check-hooks.js";
import type { Hook } from "./hook.js";
import { type RegisteredHook, registered } from "./registered-hook.js";

export interface HookOptions {
	/** What the hook's `local` holds when a run begins. Each run gets a copy; what its values refer to (a logger, a connection) is shared. Default: nothing. */
	readonly context?: Readonly<Record<string, unknown>>;
}

/** On `globalThis`, as the executor slot is: an audit that knew only the robots of its own copy of this package would miss the others without a word. */
const KEY: unique symbol = Symbol.for("@robot-lab/core/hooks/v1") as never;

function globalList(): RegisteredHook[] {
	const holder = globalThis as { [KEY]?: RegisteredHook[] };
	holder[KEY] ??= [];
	return holder[KEY];
}

/** The hooks of all robots and networks of this process, in the order in which they came. */
export function globalHooks(): readonly RegisteredHook[] {
	return globalList();
}

/**
 * Calls a hook in all runs of this process that begin from now on, until its subscription is ended; then it is not called any more, in runs
 * that go on neither. Throws ConfigurationError for what is no hook.
 */
export function registerHook(hook: Hook, options: HookOptions = {}): Subscription {
	const namespace = checkHook("registerHook(): the hook", hook);
	checkNames("registerHook()", options, ["context"]);
	const { context } = options;
	if (context !== undefined && (typeof context !== "object" || context === null || isList(context))) {
		throw new ConfigurationError(`registerHook(): context must be an object, got ${describeValue(context)}.`);
	}
	const registration = registered(hook, namespace, context);
	globalList().push(registration);
	return subscription(() => {
		registration.isActive = false;
		const index = globalList().indexOf(registration);
		if (index !== -1) globalList().splice(index, 1);
	});
}
