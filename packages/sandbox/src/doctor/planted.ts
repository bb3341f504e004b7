/** One is named as secrets are, the other as nothing that a script is given. */
const NAMES = ["DOCTOR_API_KEY", "DOCTOR_VARIABLE"];

/** Puts a secret into this process's environment until it is disposed of: what a script does not get must have been there to get. */
export function plantSecret(): Disposable {
	const earlier = NAMES.map((name) => [name, process.env[name]] as const);
	for (const name of NAMES) process.env[name] = "of the doctor";
	return {
		[Symbol.dispose]() {
			for (const [name, value] of earlier) {
				if (value === undefined) delete process.env[name];
				else process.env[name] = value;
			}
		},
	};
}
