import { expect } from "vitest";

/** What every provider asks of a history: it begins with the user, and every call is followed by its result. */
export function expectValidHistory(prompt: readonly { readonly role: string; readonly content: unknown }[]): void {
	const open = new Set<string>();
	for (const { role, content } of prompt) {
		for (const part of Array.isArray(content) ? (content as { type: string; toolCallId?: string }[]) : []) {
			if (part.type === "tool-call") open.add(part.toolCallId ?? "");
			if (part.type === "tool-result") expect(open.delete(part.toolCallId ?? "")).toBe(true);
		}
		if (role === "user") expect([...open]).toEqual([]);
		expect((content as { length: number }).length).toBeGreaterThan(0);
	}
	expect(prompt.find(({ role }) => role !== "system")?.role).toBe("user");
}
