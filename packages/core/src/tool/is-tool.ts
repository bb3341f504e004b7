import type { Tool } from "./tool.js";

/** Whether a value can be called as a tool. By shape: tools may come from another copy of the package. */
export function isTool(value: unknown): value is Tool {
	const { name, validate, execute } = (value ?? {}) as Partial<Record<keyof Tool, unknown>>;
	return typeof name === "string" && name !== "" && typeof validate === "function" && typeof execute === "function";
}
