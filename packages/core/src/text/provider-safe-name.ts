const PROVIDER_SAFE_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether every provider accepts it as the name of a tool: 1 to 64 letters, digits, `_` or `-`. */
export const isProviderSafeName = (name: string): boolean => PROVIDER_SAFE_NAME.test(name);
