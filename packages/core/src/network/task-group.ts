import type { Delegate } from "../robot/delegation-future.js";
import type { TaskOptions } from "./task-options.js";

/** A task as it was given. */
export type GivenTask = readonly [name: string, robot: Delegate, options: TaskOptions<string, string>];

/**
 * The tasks of a group while it is built.
 *
 * @typeParam Tasks The tasks outside that they may depend on, and the groups.
 * @typeParam Members Their own names.
 */
export class TaskGroup<Tasks extends string = string, Groups extends string = never, Members extends string = never> {
	/** Tells the types apart; there is nothing here. */
	declare readonly members: Members;
	readonly #add: (task: GivenTask) => void;

	constructor(add: (task: GivenTask) => void) {
		this.#add = add;
	}

	/** A task of the group, which depends on what the group depends on, and on what it names besides: tasks of the group included. */
	task<Name extends string>(
		name: Name,
		robot: Delegate,
		options: TaskOptions<Tasks | Members, Groups> = {},
	): TaskGroup<Tasks, Groups, Members | Name> {
		this.#add([name, robot, options as TaskOptions<string, string>]);
		return this as unknown as TaskGroup<Tasks, Groups, Members | Name>;
	}
}
