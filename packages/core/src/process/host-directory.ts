/** This process's working directory, or `undefined` when it has been deleted. */
export function hostDirectory(): string | undefined {
	try {
		return process.cwd();
	} catch {
		return undefined;
	}
}
