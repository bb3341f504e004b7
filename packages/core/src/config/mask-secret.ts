/** Words of which one, in the last part of a setting's name, says that its value is a secret. */
const SECRET = /(^|_)(key|token|secret|password|passphrase|credential|credentials|authorization)$/;

/** What stands for a secret wherever settings are shown. */
export const MASKED = "********";

/** `value`, or what stands for it where the setting's name looks like a secret's and it is a text. */
export function maskSecret(name: string, value: unknown): unknown {
	return typeof value === "string" && SECRET.test(name.split(".").at(-1) ?? "") ? MASKED : value;
}
