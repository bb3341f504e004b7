import type { TaskDefinition } from "./task-options.js";

/**
 * A table of tasks, which may name each other in any order, and activate those of them that are optional.
 *
 * @typeParam Tasks The tasks that are there before it.
 * @typeParam Starts What each task of the table gives as `dependsOn`, which the compiler reads from the table itself.
 */
export type TaskTable<Tasks extends string, Groups extends string, Starts> = {
	// names written out: an alias would stand in the compiler's messages instead of them
	readonly [Name in keyof Starts]: TaskDefinition<Tasks | (keyof Starts & string), Groups, Tasks | OptionalIn<Starts>> &
		Start<Starts[Name]>;
};

/** The names of its optional tasks. One that says nothing is `unknown`, and is none. */
type OptionalIn<Starts> = {
	[Name in keyof Starts & string]: unknown extends Starts[Name] ? never : "optional" extends Starts[Name] ? Name : never;
}[keyof Starts & string];

/** Where `dependsOn` is read and nothing is asked of it, so that what is wrong with it is told as the definition has it. */
interface Start<DependsOn> {
	readonly dependsOn?: DependsOn extends "optional" ? DependsOn : unknown;
}
