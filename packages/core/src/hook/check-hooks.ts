import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue, isList } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import { Hook } from "./hook.js";
import { HOOK_METHODS } from "./hook-methods.js";
import { type RegisteredHook, registered } from "./registered-hook.js";

/**
 * The hooks that somebody gave as a list, which may change afterwards. Throws ConfigurationError for what is no list, and for an entry that is
 * no hook.
 *
 * @param what Which list it is, for the message: `"new Robot(), hooks"`.
 */
export function checkHooks(what: string, hooks: unknown): readonly RegisteredHook[] {
	if (!isList(hooks)) throw new ConfigurationError(`${what} must be a list of hooks, got ${describeValue(hooks)}.`);
	return Array.from(hooks, (hook, index) => registered(hook as Hook, checkHook(`${what}[${index}]`, hook)));
}

/** The namespace of a hook. Throws ConfigurationError for what is none: no object, nothing to call, a method nobody calls, no namespace. */
export function checkHook(what: string, value: unknown): string {
	if (typeof value === "function") {
		throw new ConfigurationError(`${what} must be a hook, got a function. Of a class give an instance: new ${value.name || "MyHook"}().`);
	}
	if (typeof value !== "object" || value === null) {
		throw new ConfigurationError(`${what} must be a hook, got ${describeValue(value)}.`);
	}
	try {
		checkMethods(what, value as Partial<Hook>);
		return checkNamespace(what, value as Partial<Hook>);
	} catch (cause) {
		if (ConfigurationError.isInstance(cause)) throw cause;
		throw new ConfigurationError(`${what} must be a hook, and cannot be read.`, { cause });
	}
}

function checkNamespace(what: string, { namespace }: { readonly namespace?: unknown }): string {
	if (typeof namespace === "string" && namespace.trim() !== "") return namespace;
	throw new ConfigurationError(
		`${what} needs a namespace, a text that is not blank; it has ${describeValue(namespace)}. Give the class a name or ` +
			'`static namespace = "audit"`, an object `namespace: "audit"`.',
	);
}

function checkMethods(what: string, hook: Partial<Hook>): void {
	const mistyped = mistypedMethod(hook);
	if (mistyped !== undefined) {
		throw new ConfigurationError(`${what} has a method that nobody calls, ${mistyped}.${didYouMean(mistyped, HOOK_METHODS)}`);
	}
	const given = HOOK_METHODS.filter((method) => hook[method] !== undefined);
	const wrong = given.find((method) => typeof hook[method] !== "function");
	if (wrong !== undefined) throw new ConfigurationError(`${what}: ${wrong} must be a function, got ${describeValue(hook[wrong])}.`);
	if (given.length > 0) return;
	throw new ConfigurationError(
		`${what} must be a hook, and has none of its methods. A hook has at least one of ${HOOK_METHODS.join(", ")}.`,
	);
}

/** What begins, however it is written, as the names of all methods do. A hook may have other methods of its own. */
const LOOKS_LIKE_ONE = /^(be|ar|af|on)/i;

/** The name of a function that was probably meant to be a method of hooks: it would never be called, without a word. */
function mistypedMethod(hook: object): string | undefined {
	const known: ReadonlySet<string> = new Set(HOOK_METHODS);
	return functionNames(hook).find((name) => !known.has(name) && LOOKS_LIKE_ONE.test(name) && didYouMean(name, known) !== "");
}

/** The names of an object's functions, inherited ones included. Calls no getter. */
function functionNames(value: object): readonly string[] {
	const names: string[] = [];
	for (let holder = value; !isOfEveryone(holder); holder = Object.getPrototypeOf(holder)) {
		const described = Object.entries(Object.getOwnPropertyDescriptors(holder));
		names.push(...described.flatMap(([name, descriptor]) => (typeof descriptor.value === "function" ? [name] : [])));
	}
	return names;
}

const isOfEveryone = (holder: object | null): boolean => holder === null || holder === Object.prototype || holder === Hook.prototype;
