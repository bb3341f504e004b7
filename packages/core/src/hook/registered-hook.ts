import type { FailureWarning } from "../stream/failure-report.js";
import { failureReport } from "../stream/failure-report.js";
import type { Hook } from "./hook.js";

/** A hook that was given to somebody, checked. One that is given twice is registered twice, and called twice. */
export interface RegisteredHook {
	readonly hook: Hook;
	/** Read once: what messages call it. */
	readonly namespace: string;
	/** What its `local` holds at the beginning of each run. */
	readonly context: Readonly<Record<string, unknown>>;
	/** Told what its `onError` fails with. Cannot fail. */
	readonly reportFailure: (error: unknown) => void;
	/** Whether it is still called. */
	isActive: boolean;
}

export function registered(hook: Hook, namespace: string, context: Readonly<Record<string, unknown>> = {}): RegisteredHook {
	return { hook, namespace, context: { ...context }, reportFailure: failureReport(undefined, onErrorFailed(namespace)), isActive: true };
}

const onErrorFailed = (namespace: string): FailureWarning => ({
	what: `onError of the hook ${JSON.stringify(namespace)} failed, which changes nothing and is told once`,
	code: "ROBOT_LAB_LISTENER_FAILED",
});
