import { describe, expect, it } from "vitest";
import { evaluateProfile } from "../../src/sbpl/index.js";

const decider = (rule: string) => {
	const decide = evaluateProfile(`(version 1)(deny default)${rule}`);
	return (operation: string, query = {}): boolean => decide(operation, query).allowed;
};

describe("path filters", () => {
	const reads = (filter: string) => {
		const allowed = decider(`(allow file-read-data ${filter})`);
		return (path: string): boolean => allowed("file-read-data", { path });
	};

	it("literal, path and path-literal match the whole path and nothing else", () => {
		for (const head of ["literal", "path", "path-literal"]) {
			expect(reads(`(${head} "/a")`)("/a")).toBe(true);
			expect(reads(`(${head} "/a")`)("/a/b")).toBe(false);
			expect(reads(`(${head} "/a")`)("/ab")).toBe(false);
		}
	});

	it.each(["/tmp/x", "//private/tmp/x", "/private/tmp/x/", "/private/tmp/y/../x"])(
		"a filter spelt %j is dead: filters are not canonicalised",
		(spelling) => {
			expect(reads(`(literal "${spelling}")`)("/private/tmp/x")).toBe(false);
			expect(reads(`(subpath "${spelling}")`)("/private/tmp/x")).toBe(false);
			expect(reads(`(subpath "${spelling}")`)("/private/tmp/x/y")).toBe(false);
		},
	);

	it("subpath matches the path itself and what is below it, by whole components", () => {
		const allowed = reads('(subpath "/a")');
		expect([allowed("/a"), allowed("/a/b/c"), allowed("/ab"), allowed("/")]).toEqual([true, true, false, false]);
		expect(reads('(subpath "/")')("/anything/at/all")).toBe(true);
	});

	it("prefix is plain text: /a covers /ab too", () => {
		expect(reads('(prefix "/a")')("/ab")).toBe(true);
	});

	it("regex searches unless anchored, is case sensitive, and a dot matches any character", () => {
		expect(reads('(regex #"secret")')("/x/my-secret-file")).toBe(true);
		expect(reads('(regex #"^secret")')("/x/secret")).toBe(false);
		expect(reads('(regex #"(^|/)SECRET$")')("/x/secret")).toBe(false);
		expect(reads('(regex #"^/a.b$")')("/a\nb")).toBe(true);
	});

	it("backslashes of a regex double in a cooked string only", () => {
		expect(reads('(regex "\\\\.git$")')("/x/.git")).toBe(true);
		expect(reads('(regex #"\\.git$")')("/x/.git")).toBe(true);
		expect(reads('(regex #"\\.git$")')("/x/agit")).toBe(false);
	});

	it("brackets of a regex take ranges, negation and a leading ]", () => {
		expect(reads('(regex #"^/tty[a-z0-9]+$")')("/ttys01")).toBe(true);
		expect(reads('(regex #"^/[^/]+$")')("/a/b")).toBe(false);
		expect(reads('(regex #"^/[]x]$")')("/]")).toBe(true);
	});

	it("path-ancestors matches every directory above and not the path itself", () => {
		const allowed = reads('(path-ancestors "/a/b/c")');
		expect(["/", "/a", "/a/b", "/a/b/c"].map(allowed)).toEqual([true, true, true, false]);
	});

	it("filters side by side are alternatives", () => {
		const allowed = reads('(literal "/a") (literal "/b" "/c")');
		expect(["/a", "/b", "/c", "/d"].map(allowed)).toEqual([true, true, true, false]);
	});

	it("require-all, require-any and require-not nest", () => {
		const allowed = reads('(require-all (subpath "/w") (require-not (require-any (literal "/w/x") (subpath "/w/y"))))');
		expect(["/w", "/w/x", "/w/x/z", "/w/y/z"].map(allowed)).toEqual([true, false, true, false]);
	});
});

describe("other filters", () => {
	it("vnode-type tells kinds of files apart, and a terminal is a character device too", () => {
		const allowed = decider("(allow file-write-data (vnode-type CHARACTER-DEVICE))");
		expect(allowed("file-write-data", { vnodeType: "CHARACTER-DEVICE" })).toBe(true);
		expect(allowed("file-write-data", { vnodeType: "TTY" })).toBe(true);
		expect(allowed("file-write-data", { vnodeType: "REGULAR-FILE" })).toBe(false);
		expect(decider("(allow file-write-data (tty))")("file-write-data", { vnodeType: "CHARACTER-DEVICE" })).toBe(false);
	});

	it("target tells oneself from others", () => {
		const allowed = decider("(allow signal (target self) (target same-sandbox))");
		expect(allowed("signal", { target: "self" })).toBe(true);
		expect(allowed("signal", { target: "others" })).toBe(false);
	});

	it.each([
		["mach-lookup", "global-name", "name"],
		["mach-lookup", "local-name", "localName"],
		["mach-lookup", "xpc-service-name", "xpcServiceName"],
		["sysctl-read", "sysctl-name", "name"],
		["ipc-posix-sem-open", "ipc-posix-name", "name"],
		["iokit-open", "iokit-registry-entry-class", "name"],
		["user-preference-read", "preference-domain", "name"],
	])("%s takes %s with its prefix and regex forms", (operation, head, attribute) => {
		expect(decider(`(allow ${operation} (${head} "a.b"))`)(operation, { [attribute]: "a.b" })).toBe(true);
		expect(decider(`(allow ${operation} (${head} "a.b"))`)(operation, { [attribute]: "a.b.c" })).toBe(false);
		expect(decider(`(allow ${operation} (${head}-prefix "a."))`)(operation, { [attribute]: "a.b.c" })).toBe(true);
		expect(decider(`(allow ${operation} (${head}-regex #"^a\\.[bc]$"))`)(operation, { [attribute]: "a.c" })).toBe(true);
	});

	it("a global name is no local name", () => {
		expect(decider('(allow mach-lookup (local-name "x"))')("mach-lookup", { name: "x" })).toBe(false);
	});

	it("an extension counts only for a process that holds it", () => {
		const allowed = decider('(allow file-read* (extension "com.apple.sandbox.pty"))');
		expect(allowed("file-read-data", { path: "/x" })).toBe(false);
		expect(allowed("file-read-data", { path: "/x", extensions: ["com.apple.sandbox.pty"] })).toBe(true);
	});

	it("socket filters tell domains and protocols apart", () => {
		const allowed = decider("(allow system-socket (require-all (socket-domain AF_SYSTEM) (socket-protocol 2)))");
		expect(allowed("system-socket", { socketDomain: "AF_SYSTEM", socketProtocol: 2 })).toBe(true);
		expect(allowed("system-socket", { socketDomain: "AF_SYSTEM", socketProtocol: 1 })).toBe(false);
		expect(allowed("system-socket", { socketDomain: "AF_INET" })).toBe(false);
	});
});

describe("address filters", () => {
	const reaches = (filter: string) => {
		const allowed = decider(`(allow network-outbound ${filter})`);
		return (query: object): boolean => allowed("network-outbound", query);
	};

	it("(remote ip) matches every address and no unix socket", () => {
		const allowed = reaches("(remote ip)");
		expect(allowed({ remote: "93.184.216.34:443" })).toBe(true);
		expect(allowed({ remote: "udp://[2001:db8::1]:53" })).toBe(true);
		expect(allowed({ path: "/private/var/run/docker.sock" })).toBe(false);
	});

	it("an unfiltered allow reaches unix sockets too", () => {
		expect(decider("(allow network-outbound)")("network-outbound", { path: "/private/var/run/docker.sock" })).toBe(true);
	});

	it("localhost is 127.0.0.1 and ::1, not an IPv4 address in IPv6 clothes", () => {
		const allowed = reaches('(remote ip "localhost:80")');
		expect(allowed({ remote: "127.0.0.1:80" })).toBe(true);
		expect(allowed({ remote: "[::1]:80" })).toBe(true);
		expect(allowed({ remote: "[::ffff:127.0.0.1]:80" })).toBe(false);
		expect(allowed({ remote: "127.0.0.1:81" })).toBe(false);
	});

	it("tcp, udp and the 4 and 6 forms tell transports and families apart", () => {
		expect(reaches('(remote tcp "*:443")')({ remote: "1.2.3.4:443" })).toBe(true);
		expect(reaches('(remote tcp "*:443")')({ remote: "udp://1.2.3.4:443" })).toBe(false);
		expect(reaches("(remote ip6)")({ remote: "1.2.3.4:443" })).toBe(false);
		expect(reaches("(to udp4)")({ remote: "udp://1.2.3.4:53" })).toBe(true);
	});

	it("a path reaches a unix socket by network-outbound", () => {
		expect(reaches('(literal "/private/var/run/mDNSResponder")')({ path: "/private/var/run/mDNSResponder" })).toBe(true);
	});

	it.each(["example.com:443", "1.2.3.4", "1.2.3.4:99999", "sctp://1.2.3.4:1"])(
		"the question %j is refused: the kernel sees addresses and ports",
		(remote) => {
			expect(() => reaches("(remote ip)")({ remote })).toThrow(/HOST is an IP address or localhost/);
		},
	);
});
