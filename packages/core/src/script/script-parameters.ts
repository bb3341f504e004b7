/** What one value of a parameter is. */
export type ParameterType = "string" | "integer" | "number" | "boolean";

/** One parameter that a script declares. */
export interface ScriptParameter {
	/** As it was declared, without dashes: 1 to 64 letters, digits, `_`, `.` or `-`, the first a letter or a digit. */
	readonly name: string;
	/** How it reaches the script: `--name=value`, `--name`, or by its place among the arguments. */
	readonly kind: "option" | "flag" | "argument";
	readonly type: ParameterType;
	/** What it is for, in the author's words. */
	readonly description?: string;
	/** Whether it must be given. */
	readonly required: boolean;
	/** Whether it is a list; one that must be given has an entry at the least. */
	readonly multiple: boolean;
	/** The only values it takes. */
	readonly choices?: readonly (string | number)[];
	/** What the script takes where nothing is given. It is told to the model and not passed. */
	readonly default?: string | number | boolean;
	readonly minimum?: number;
	readonly maximum?: number;
}

/** Everything that a script takes: what it declares, in that order, and nothing else. */
export interface ScriptParameters {
	/** `options`: as command line arguments. `json`: as one line of JSON on standard input, and without arguments. */
	readonly input: "options" | "json";
	readonly parameters: readonly ScriptParameter[];
}

/** What is wrong with a declaration. */
export interface ParameterFlaw {
	/** One sentence without the file's name. */
	readonly message: string;
	/** The line of the declaration, from 1. */
	readonly line: number;
}

/** What somebody declared of a script, or why it does not count: then the script takes plain `args`. */
export type ParameterDeclaration =
	| { readonly ok: true; readonly parameters: ScriptParameters }
	| { readonly ok: false; readonly flaws: readonly ParameterFlaw[] };

/** What a script is started with. */
export interface ScriptInput {
	readonly args: readonly string[];
	/** Default: standard input is closed. */
	readonly stdin?: string;
}
