import { describe, expectTypeOf, it } from "vitest";
import type { RobotResult } from "../../src/message/robot-result.js";
import { type AnyNetwork, Network } from "../../src/network/network.js";
import type { NetworkResult, TaskOutcome } from "../../src/network/network-result.js";
import type { NextFlow, TaskDefinition } from "../../src/network/task-options.js";
import { saying } from "./robots.js";

const robot = saying("x");

describe("The types of a Network", () => {
	it("know the tasks there are, and what depends on them", () => {
		const network = new Network({ name: "lab" })
			.task("a", robot, { dependsOn: "optional" })
			.parallel("group", { dependsOn: ["a"] }, (group) => group.task("b", robot).task("c", robot, { dependsOn: ["b", "a"] }))
			.task("d", robot, { dependsOn: ["group", "c"] });
		expectTypeOf<Awaited<ReturnType<typeof network.run>>>().toEqualTypeOf<NetworkResult<"a" | "b" | "c" | "d">>();
		expectTypeOf<NetworkResult<"a">["results"]["a"]>().toEqualTypeOf<RobotResult | undefined>();
		expectTypeOf<NetworkResult<"a">["tasks"]["a"]>().toEqualTypeOf<TaskOutcome>();
	});

	it("refuse a dependency that is no task yet, and an option that is none", () => {
		const define = (): unknown => [
			// @ts-expect-error: there is no task "b"
			new Network({ name: "lab" }).task("a", robot).task("c", robot, { dependsOn: ["b"] }),
			// @ts-expect-error: nor in a group
			new Network({ name: "lab" }).parallel("group", {}, (group) => group.task("a", robot, { dependsOn: ["b"] })),
			// @ts-expect-error: results are those of tasks
			new Network({ name: "lab" }).task("a", robot).task("b", robot, { input: ({ results }) => results.c?.robotName ?? "" }),
			// @ts-expect-error: a mistyped option
			new Network({ name: "lab" }).task("a", robot, { dependOn: "none" }),
		];
		expectTypeOf(define).toBeFunction();
	});

	it("know in a table which tasks can be depended on and activated, in any order", () => {
		const define = (): unknown => {
			new Network({ name: "lab" }).tasks({
				join: { robot, dependsOn: ["router", "work"] },
				router: { robot, next: (_result, flow) => flow.activate("work") },
				work: { robot, dependsOn: "optional" },
			});
			// @ts-expect-error: there is no task "wrok"
			new Network({ name: "lab" }).tasks({ router: { robot, next: (_result, flow) => flow.activate("wrok") }, work: { robot } });
			// @ts-expect-error: nor as a dependency
			new Network({ name: "lab" }).tasks({ join: { robot, dependsOn: ["work"] } });
			// @ts-expect-error: a word that is none
			new Network({ name: "lab" }).tasks({ join: { robot, dependsOn: "optinal" } });
			// @ts-expect-error: it needs a robot
			new Network({ name: "lab" }).tasks({ join: { dependsOn: "optional" } });
			// @ts-expect-error: a mistyped option
			new Network({ name: "lab" }).tasks({ join: { robot, dependOn: "optional" } });
			// @ts-expect-error: results are those of tasks
			return new Network({ name: "lab" }).tasks({ join: { robot, input: ({ results }) => results.jion?.robotName ?? "" } });
		};
		expectTypeOf(define).toBeFunction();
	});

	it("let a task of a table activate those that are optional there, those defined before it, and no others", () => {
		const define = (isOptional: boolean): unknown => {
			const activating = (task: "before" | "work" | "perhaps") => ({
				robot,
				next: (_result: RobotResult, flow: NextFlow) => flow.activate(task),
			});
			const network = new Network({ name: "lab" }).task("before", robot, { dependsOn: "optional" }).tasks({
				router: { robot, activates: ["work", "before"], next: (_result, flow) => flow.activate(isOptional ? "work" : "perhaps") },
				other: { robot, dependsOn: ["router"], next: async (_result, flow) => flow.activate("before") },
				anything: activating("work"),
				work: { robot, dependsOn: "optional" },
				perhaps: { robot, dependsOn: isOptional ? "optional" : "none" },
			});
			expectTypeOf(network).toEqualTypeOf<Network<"before" | "router" | "other" | "anything" | "work" | "perhaps">>();
			// @ts-expect-error: "work" starts by itself
			new Network({ name: "lab" }).tasks({ router: { robot, next: (_result, flow) => flow.activate("work") }, work: { robot } });
			new Network({ name: "lab" }).tasks({
				router: { robot, next: (_result, flow) => flow.activate("work") },
				// @ts-expect-error: nor is one that waits activated
				late: { robot, dependsOn: ["work"], next: (_result, flow) => flow.activate("router") },
				work: { robot, dependsOn: "optional" },
			});
			return new Network({ name: "lab" }).tasks({
				// @ts-expect-error: nor can it be declared
				router: { robot, activates: ["work"], next: () => {} },
				work: { robot, dependsOn: "none" },
			});
		};
		expectTypeOf(define).toBeFunction();
	});

	it("have one for any network, whatever its tasks and groups", () => {
		const draw = (network: AnyNetwork): string => network.visualize();
		const define = (): unknown => [
			draw(new Network({ name: "lab" })),
			draw(new Network({ name: "lab" }).task("a", robot)),
			draw(
				new Network({ name: "lab" })
					.tasks({ a: { robot, dependsOn: "optional" } })
					.parallel("group", {}, (group) => group.task("b", robot)),
			),
			draw(new Network<string>({ name: "lab" })),
			// @ts-expect-error: a record of it is none
			draw(new Network({ name: "lab" }).toJSON()),
		];
		expectTypeOf(define).toBeFunction();
	});

	it("leave names that come at run time to the run time", () => {
		const network = new Network<string>({ name: "lab" });
		const define = (name: string, table: Readonly<Record<string, TaskDefinition>>): unknown => [
			network.task(name, robot, { dependsOn: [`before ${name}`] }),
			network.tasks({ [name]: { robot, next: (_result, flow) => flow.activate(name) } }),
			network.tasks(table),
			new Network({ name: "lab" }).tasks(table),
		];
		expectTypeOf(define).toBeFunction();
	});
});
