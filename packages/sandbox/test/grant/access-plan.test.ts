import { Capabilities } from "@robot-lab/core";
import { describe, expect, it } from "vitest";
import { ancestorsOf, planAccess, waysToReadOnly } from "../../src/grant/access-plan.js";
import { describeGrant } from "../../src/grant/describe-grant.js";

describe("planAccess()", () => {
	it("takes one step where one path says it all", () => {
		expect(planAccess({ read: ["/a", "/a/b", "/a"], write: [] })).toEqual([{ path: "/a", access: "read", within: "nothing" }]);
	});

	it("goes from shallow to deep, each step changing what the one around it said", () => {
		const steps = planAccess({ read: ["/w/r", "/w/r/x"], write: ["/w", "/w/r/w"] });
		expect(steps).toEqual([
			{ path: "/w", access: "write", within: "nothing" },
			{ path: "/w/r", access: "read", within: "write" },
			{ path: "/w/r/w", access: "write", within: "read" },
		]);
	});

	it("makes a path of both lists writable", () => {
		expect(planAccess({ read: ["/a"], write: ["/a"] })).toEqual([{ path: "/a", access: "write", within: "nothing" }]);
	});

	it("does not take a path for one below another that only starts alike", () => {
		expect(planAccess({ read: ["/a", "/ab"], write: [] })).toHaveLength(2);
	});

	it("handles the root", () => {
		expect(planAccess({ read: ["/", "/a"], write: ["/b"] })).toEqual([
			{ path: "/", access: "read", within: "nothing" },
			{ path: "/b", access: "write", within: "read" },
		]);
	});
});

describe("waysToReadOnly()", () => {
	it("names the directories between an island and the outermost writable one, that one included", () => {
		expect(waysToReadOnly(planAccess({ read: ["/w/a/b/r"], write: ["/w", "/w/a/b"] }))).toEqual(["/w", "/w/a", "/w/a/b"]);
	});

	it("names none where nothing read-only lies in something writable", () => {
		expect(waysToReadOnly(planAccess({ read: ["/r"], write: ["/r/w"] }))).toEqual([]);
	});
});

describe("ancestorsOf()", () => {
	it("starts with the root and ends above the path", () => {
		expect(ancestorsOf("/a/b")).toEqual(["/", "/a"]);
		expect(ancestorsOf("/")).toEqual([]);
	});
});

describe("describeGrant()", () => {
	it("says what is granted in one line, however many paths", () => {
		expect(describeGrant(new Capabilities({ network: true, fsRead: ["/a"] }))).toBe('read "/a", write nothing, network yes');
		const many = Array.from({ length: 300 }, (_, index) => `/p${index}`);
		expect(describeGrant(new Capabilities({ fsWrite: many }))).toBe(
			'read nothing, write "/p0", "/p1", "/p2", "/p3", "/p4" and 295 more, network no',
		);
	});
});
