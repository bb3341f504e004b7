const PROVIDER_SAFE_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_NAME = 64;

/** Whether every provider accepts it as the name of a tool, or as the id of a call: 1 to 64 letters, digits, `_` or `-`. */
export const isProviderSafeName = (name: string): boolean => PROVIDER_SAFE_NAME.test(name);

/** The name of a tool as every provider accepts it: `_` in the place of what is neither letter nor digit, and no more than 64 characters. */
export function providerSafeName(name: string): string {
	if (isProviderSafeName(name)) return name;
	return name.slice(0, MAX_NAME).replaceAll(/[^A-Za-z0-9_-]/g, "_") || "unnamed_tool";
}
