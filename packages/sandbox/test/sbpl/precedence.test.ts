import { describe, expect, it } from "vitest";
import { evaluateProfile } from "../../src/sbpl/index.js";

/** One test per measured fact about which rule wins. */
describe("evaluateProfile() precedence", () => {
	const allowed = (rules: string, operation: string, query = {}): boolean =>
		evaluateProfile(`(version 1)\n(deny default)\n${rules}`)(operation, query).allowed;

	it("lets a later filtered deny win inside an earlier filtered allow of the same operation", () => {
		const rules = '(allow file-write* (subpath "/w"))(deny file-write* (subpath "/w/b"))';
		expect(allowed(rules, "file-write-data", { path: "/w/b/x" })).toBe(false);
		expect(allowed(rules, "file-write-data", { path: "/w/a" })).toBe(true);
	});

	it("lets a later filtered allow win inside an earlier filtered deny", () => {
		const rules = '(deny file-write* (subpath "/w"))(allow file-write* (subpath "/w/b"))';
		expect(allowed(rules, "file-write-data", { path: "/w/b/x" })).toBe(true);
		expect(allowed(rules, "file-write-data", { path: "/w/a" })).toBe(false);
	});

	it("never lets an unfiltered rule override a filtered one of the same operation, however late it comes", () => {
		const rules = '(deny network-outbound (path "/s"))(allow network-outbound)';
		expect(allowed(rules, "network-outbound", { path: "/s" })).toBe(false);
		expect(allowed(rules, "network-outbound", { path: "/other" })).toBe(true);
	});

	it("keeps a filtered write allow through unfiltered denies and a late allow of default", () => {
		const rules = '(allow file-write* (subpath "/p"))(deny file-write*)(allow default)';
		expect(allowed(rules, "file-write-create", { path: "/p/x" })).toBe(true);
		expect(allowed(rules, "file-write-create", { path: "/q/x" })).toBe(false);
		expect(allowed(rules, "file-read-data", { path: "/q/x" })).toBe(true);
	});

	it("lets an unfiltered rule of a specific operation beat a filtered rule of its wildcard", () => {
		const rules = '(allow file-write* (subpath "/p"))(deny file-write-mode)';
		expect(allowed(rules, "file-write-mode", { path: "/p/x" })).toBe(false);
		expect(allowed(`${rules}(allow file-write-mode (subpath "/p"))`, "file-write-mode", { path: "/p/x" })).toBe(true);
	});

	it("does not undo a deny of file-write-unlink by a later allow of file-write*", () => {
		const rules = '(deny file-write-unlink (subpath "/u"))(allow file-write* (subpath "/u/w"))';
		expect(allowed(rules, "file-write-unlink", { path: "/u/w/x" })).toBe(false);
		expect(allowed(rules, "file-write-data", { path: "/u/w/x" })).toBe(true);
	});

	it("lets a rule of network-outbound beat a deny of network*", () => {
		expect(allowed('(allow network-outbound (path "/s"))(deny network*)', "network-outbound", { path: "/s" })).toBe(true);
	});

	it("keeps stat allowed where file-read-metadata is allowed by name and file-read* is denied later", () => {
		const rules = '(allow file-read-metadata)(deny file-read* (subpath "/s"))';
		expect(allowed(rules, "file-read-metadata", { path: "/s/x" })).toBe(true);
		expect(allowed(rules, "file-read-data", { path: "/s/x" })).toBe(false);
	});

	it("covers bind by network-inbound, and does not cover listen by network-bind", () => {
		const local = { local: "127.0.0.1:8080" };
		expect(allowed("(allow network-inbound (local ip))", "network-bind", local)).toBe(true);
		expect(allowed("(allow network-inbound (local ip))", "network-inbound", local)).toBe(true);
		expect(allowed("(allow network-bind (local ip))", "network-inbound", local)).toBe(false);
	});

	it("keeps filtered allows that came earlier, as from an import, through a later unfiltered deny", () => {
		const rules = '(allow mach-lookup (global-name "com.apple.logd"))(deny mach-lookup)';
		expect(allowed(rules, "mach-lookup", { name: "com.apple.logd" })).toBe(true);
		expect(allowed(rules, "mach-lookup", { name: "com.apple.SecurityServer" })).toBe(false);
	});

	it("knows no specificity by length: source order decides", () => {
		const rules = '(deny file-read* (subpath "/a/b/c"))(allow file-read* (subpath "/a"))';
		expect(allowed(rules, "file-read-data", { path: "/a/b/c/d" })).toBe(true);
	});

	it("takes the last of several unfiltered rules of one operation", () => {
		expect(allowed("(allow signal)(deny signal)", "signal", { target: "self" })).toBe(false);
		expect(allowed("(deny signal)(allow signal)", "signal", { target: "self" })).toBe(true);
	});

	it.each([
		["process-info-pidinfo", "process-info*"],
		["nvram-get", "nvram*"],
		["file-link", "file-link"],
		["file-clone", "file-clone"],
		["file-map-executable", "file-map-executable"],
	])("allows %s under (deny default): the fallback chain of it never reaches default", (operation, last) => {
		const query = { path: "/x", target: "others", name: "x" } as const;
		expect(evaluateProfile("(version 1)(deny default)")(operation, query)).toEqual({
			allowed: true,
			rule: `built-in: ${last} is allowed unless a rule names it`,
		});
		expect(allowed(`(deny ${last})`, operation, query)).toBe(false);
	});

	it.each(["file-write-setugid", "job-creation", "storage-class-map"])("denies %s under (allow default)", (operation) => {
		expect(evaluateProfile("(version 1)(allow default)")(operation, { path: "/x" }).allowed).toBe(false);
	});

	it("does not count file-write-setugid among file-write*", () => {
		expect(allowed('(allow file-write* (subpath "/w"))', "file-write-setugid", { path: "/w/x" })).toBe(false);
	});

	it("denies everything else of an empty profile", () => {
		expect(evaluateProfile("(version 1)")("file-read-data", { path: "/x" })).toEqual({
			allowed: false,
			rule: "built-in: default is denied unless a rule names it",
		});
	});
});

describe("evaluateProfile() answers", () => {
	it("name the deciding rule by its own text", () => {
		const decide = evaluateProfile('(version 1)\n(deny default)\n(allow file-read*\n  (subpath "/a")\n  (literal "/b"))');
		expect(decide("file-read-data", { path: "/b" }).rule).toBe('(allow file-read*\n  (subpath "/a")\n  (literal "/b"))');
		expect(decide("file-read-data", { path: "/c" }).rule).toBe("(deny default)");
	});

	it("apply a rule of several operations to each of them", () => {
		const decide = evaluateProfile('(version 1)(deny default)(allow file-read* file-write* (subpath "/w"))');
		expect(decide("file-read-xattr", { path: "/w" }).allowed).toBe(true);
		expect(decide("file-write-flags", { path: "/w" }).allowed).toBe(true);
	});

	it("need every attribute that the answer depends on, and no other", () => {
		const decide = evaluateProfile(
			'(version 1)(deny default)(allow file-write-data (require-all (vnode-type CHARACTER-DEVICE) (literal "/dev/null")))(allow signal (target self))',
		);
		expect(decide("file-write-data", { path: "/etc/passwd" }).allowed).toBe(false);
		expect(() => decide("file-write-data", { path: "/dev/null" })).toThrow(/depends on vnodeType/);
		expect(() => decide("file-write-data")).toThrow(/which the question does not give/);
		expect(() => decide("signal")).toThrow(/depends on target/);
	});

	it.each(["file-read", "made-up", "", "mach-message-send"])("refuse the unknown operation %j", (operation) => {
		expect(() => evaluateProfile("(version 1)(allow default)")(operation)).toThrow(
			expect.objectContaining({ code: "profile_query", message: expect.stringContaining("is not known") }),
		);
	});

	it.each(["relative", "a/b", "/a//b", "/a/", "/a/../b", "/./a", ""])("refuse the path %j, which the kernel never shows", (path) => {
		expect(() => evaluateProfile("(version 1)(allow default)")("file-read-data", { path })).toThrow(/no path as the kernel sees one/);
	});
});
