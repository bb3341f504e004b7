import { describe, expectTypeOf, it } from "vitest";
import type { RobotResult } from "../../src/message/robot-result.js";
import { Network } from "../../src/network/network.js";
import type { NetworkResult, TaskOutcome } from "../../src/network/network-result.js";
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
			return new Network({ name: "lab" }).tasks({ join: { robot, dependsOn: ["work"] } });
		};
		expectTypeOf(define).toBeFunction();
	});

	it("leave names that come at run time to the run time", () => {
		const network = new Network<string>({ name: "lab" });
		const define = (name: string): unknown => network.task(name, robot, { dependsOn: [`before ${name}`] });
		expectTypeOf(define).toBeFunction();
	});
});
