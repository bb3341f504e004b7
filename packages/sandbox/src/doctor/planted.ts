/** Named as secrets are. */
const NAME = "DOCTOR_API_KEY";

/** Puts a secret into this process's environment until it is disposed of: what a script does not get must have been there to get. */
export function plantSecret(): Disposable {
	const { [NAME]: earlier } = process.env;
	process.env[NAME] = "of the doctor";
	return {
		[Symbol.dispose]() {
			if (earlier === undefined) delete process.env[NAME];
			else process.env[NAME] = earlier;
		},
	};
}
