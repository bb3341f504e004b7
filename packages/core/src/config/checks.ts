/** Says what is wrong with a value, as the end of "<key> must be …", or nothing when it is right. */
export type Check = (value: unknown) => string | undefined;

/** The keys of a section, each with its check or with the keys below it. */
export interface Section {
	readonly [key: string]: Check | Section;
}

/** The longest delay a timer can carry, in whole seconds. */
export const MAX_TIMEOUT_SECONDS: number = Math.floor((2 ** 31 - 1) / 1000);

const oneOf =
	(...words: readonly string[]): Check =>
	(value) =>
		words.includes(value as string) ? undefined : `one of ${words.join(", ")}`;

const wholeNumber =
	(unit: string, least: number, most: number = Number.MAX_SAFE_INTEGER): Check =>
	(value) =>
		Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
			? undefined
			: `a whole number of ${unit}, ${most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`}`;

const flag: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");

const text: Check = (value) => (typeof value === "string" && value.trim() !== "" ? undefined : "a text that is not blank");

const paths: Check = (value) =>
	Array.isArray(value) && value.every((path) => typeof path === "string" && path !== "") ? undefined : "a list of paths";

/** Every key there is. */
export const CONFIG_SECTIONS: Section = {
	sandbox: {
		enabled: flag,
		fsRead: paths,
		fsWrite: paths,
		network: flag,
		timeout: wholeNumber("seconds", 1, MAX_TIMEOUT_SECONDS),
		backend: oneOf("auto", "seatbelt", "bubblewrap", "none"),
		require: flag,
		protect: flag,
		limits: {
			memoryMb: wholeNumber("MiB", 1),
			processes: wholeNumber("processes", 1),
			fileSizeMb: wholeNumber("MiB", 1),
			cpuSeconds: wholeNumber("seconds", 1),
			outputBytes: wholeNumber("bytes", 1),
		},
	},
	scripts: {
		cwd: oneOf("work", "skill"),
		requireExecutable: flag,
		maxModelBytes: wholeNumber("bytes", 256),
	},
	model: text,
};
