import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { checkHooks } from "../../src/hook/check-hooks.js";
import { Hook } from "../../src/hook/hook.js";

class AuditLog extends Hook {
	override beforeRun(): void {}
}

function refusal(hooks: unknown): string {
	try {
		checkHooks("new Robot(), hooks", hooks);
	} catch (error) {
		if (ConfigurationError.isInstance(error)) return error.message;
		throw error;
	}
	return "";
}

const namespaceOf = (hook: unknown): string | undefined => checkHooks("hooks", [hook])[0]?.namespace;

describe("checkHooks", () => {
	it("calls a hook what its class, or the object itself, says", () => {
		class HTTPAudit2Log extends AuditLog {}
		class Named extends Hook {
			static override readonly namespace = "billing";
			override onError(): void {}
		}
		class Below extends Named {}
		expect([new AuditLog(), new HTTPAudit2Log(), new Named(), new Below()].map(namespaceOf)).toEqual([
			"audit_log",
			"http_audit2_log",
			"billing",
			"billing",
		]);
		expect(namespaceOf({ namespace: "plain", afterRun: () => {} })).toBe("plain");
	});

	it("takes an object of a class that does not extend Hook", () => {
		class Other {
			readonly namespace = "other";
			onCompaction(): void {}
		}
		expect(namespaceOf(new Other())).toBe("other");
	});

	it("is not changed by what becomes of the list", () => {
		const list: Hook[] = [new AuditLog()];
		const checked = checkHooks("hooks", list);
		list.pop();
		expect(checked).toHaveLength(1);
	});

	it.each([
		["no list", new AuditLog(), "new Robot(), hooks must be a list of hooks, got an object."],
		["nothing", undefined, "new Robot(), hooks must be a list of hooks, got undefined."],
		["null in it", [new AuditLog(), null], "new Robot(), hooks[1] must be a hook, got null."],
		["a text in it", ["audit"], 'new Robot(), hooks[0] must be a hook, got "audit".'],
		["a hole in it", new Array(1), "new Robot(), hooks[0] must be a hook, got undefined."],
		["a class", [AuditLog], "new Robot(), hooks[0] must be a hook, got a function. Of a class give an instance: new AuditLog()."],
	])("refuses %s", (_what, hooks, message) => {
		expect(refusal(hooks)).toBe(message);
	});

	it.each([
		[
			"an anonymous class",
			new (class extends Hook {
				override beforeRun(): void {}
			})(),
		],
		["an object without one", { beforeRun: () => {} }],
		["a blank one", { namespace: " ", beforeRun: () => {} }],
		["one that is no text", { namespace: 5, beforeRun: () => {} }],
	])("refuses a hook without a namespace: %s", (_what, hook) => {
		expect(refusal([hook])).toContain("new Robot(), hooks[0] needs a namespace, a text that is not blank");
	});

	it.each([new Hook(), { namespace: "empty" }, { namespace: "other", run: () => {}, task: () => {}, error: () => {} }, [], new Map()])(
		"refuses what has no method of hooks: %o",
		(hook) => {
			expect(refusal([hook])).toContain("has none of its methods. A hook has at least one of beforeRun, aroundRun,");
		},
	);

	it.each([
		["beforRun", "beforeRun"],
		["BeforeRun", "beforeRun"],
		["before_run", "beforeRun"],
		["beforeToolcall", "beforeToolCall"],
		["arroundToolCall", "aroundToolCall"],
		["afterLLMGeneration", "afterLlmGeneration"],
		["onerror", "onError"],
		["onErrors", "onError"],
	])("names what %s was meant to be, own or inherited", (mistyped, meant) => {
		class Inherited extends AuditLog {}
		Object.defineProperty(Inherited.prototype, mistyped, { value: () => {} });
		class Below extends Inherited {}
		const message = `new Robot(), hooks[0] has a method that nobody calls, ${mistyped}. Did you mean "${meant}"?`;
		expect(refusal([{ namespace: "x", beforeRun: () => {}, [mistyped]: () => {} }])).toBe(message);
		expect(refusal([new Below()])).toBe(message);
	});

	it("lets a hook have other methods, getters that throw and data of its own", () => {
		const hook = {
			namespace: "busy",
			beforeRun: () => {},
			run: () => {},
			format: () => "",
			onMessage: () => {},
			toString: () => "busy",
			before: 5,
			get beforeNothing(): never {
				throw new Error("not to be read");
			},
		};
		expect(namespaceOf(hook)).toBe("busy");
	});

	it("refuses a method that is none", () => {
		expect(refusal([{ namespace: "x", beforeRun: "log" }])).toBe('new Robot(), hooks[0]: beforeRun must be a function, got "log".');
	});

	it("refuses what cannot be read", () => {
		const { proxy, revoke } = Proxy.revocable({}, {});
		revoke();
		expect(refusal([proxy])).toBe("new Robot(), hooks[0] must be a hook, and cannot be read.");
	});
});
