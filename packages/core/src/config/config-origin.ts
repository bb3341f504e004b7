/** Where the value of a setting came from. */
export type ConfigOrigin =
	| { readonly layer: "default" }
	| {
			/** The user's own file, or the project's. */
			readonly layer: "user" | "project";
			/** The file, absolute. */
			readonly path: string;
			/** From 1. */
			readonly line: number;
			/** The environment whose section of the file it stands in; absent outside of such sections. */
			readonly environment?: string;
	  }
	| { readonly layer: "variable"; readonly variable: string }
	| { readonly layer: "configure" };

/** A value that somebody wrote. */
export interface WrittenSetting {
	/** As files spell it: `sandbox.fs_read`. */
	readonly name: string;
	readonly value: unknown;
	readonly origin: ConfigOrigin;
}
