/** PATH_MAX of Linux without the NUL at the end, and that of macOS. */
export const LONGEST_PATH = { linux: 4095, mac: 1023 } as const;
/** NAME_MAX of both. */
const LONGEST_NAME = 255;

/** Why the kernel looks nothing up by such a path, as it was asked about; `undefined` where it does. Lengths are in bytes. */
export function whyTooLong(path: string, longest: number): string | undefined {
	if (Buffer.byteLength(path) > longest) return `the kernel takes no path of more than ${longest.toLocaleString("en")} bytes`;
	const isLong = path.split("/").some((name) => Buffer.byteLength(name) > LONGEST_NAME);
	return isLong ? `the kernel takes no name of more than ${LONGEST_NAME} bytes` : undefined;
}
