import type { Random } from "./random.js";
import type { Request } from "./request.js";

const clock = (hour: number, minute: number): number => hour * 3600 + minute * 60;
const within = (at: number, from: number, to: number): boolean => at >= from && at < to;

const BURST = { from: clock(11, 40), to: clock(11, 54) };
const SLOW = { from: clock(20, 0), to: clock(21, 0) };

/** A bad release: for fourteen minutes the checkout answers 500 and 502, and the phone app tries again every few seconds. */
export function checkoutOutage(random: Random): Request[] {
	const requests: Request[] = [];
	for (let at = BURST.from; at < BURST.to; at += random.between(3, 9)) {
		const phone = `203.0.113.${random.between(60, 75)}`;
		requests.push({
			at,
			client: phone,
			line: "POST /api/checkout HTTP/1.1",
			status: random.chance(0.85) ? 500 : 502,
			bytes: 193,
			referrer: "-",
			agent: "ShopApp/4.2 (Android 15)",
			seconds: 1 + random.next() * 2,
		});
	}
	return requests;
}

/** What the incidents do to the requests of everybody else. */
export function affected(request: Request, random: Random): Request {
	if (within(request.at, BURST.from, BURST.to) && request.line.includes("/api/checkout")) return { ...request, status: 500, bytes: 193 };
	if (!within(request.at, SLOW.from, SLOW.to) || /\/(img|css|js)\//.test(request.line)) return request;
	// The nightly backup was moved to the evening and holds the database.
	const seconds = 2.5 + random.next() * 6;
	const gaveUp = request.line.includes("/search") && random.chance(0.5);
	return gaveUp ? { ...request, status: 504, bytes: 160, seconds: 30 } : { ...request, seconds };
}

const PROBES = [
	"/wp-login.php",
	"/wp-login.php",
	"/wp-login.php",
	"/xmlrpc.php",
	"/.env",
	"/.git/config",
	"/phpmyadmin/index.php",
	"/admin.php",
	"/wp-content/plugins/revslider/readme.txt",
	"/vendor/phpunit/phpunit/src/Util/PHP/eval-stdin.php",
] as const;

/** Somebody who looks for software that this shop does not run: 168 probes in under three minutes, before dawn. */
export function scanner(random: Random): Request[] {
	const base = { client: "198.51.100.66", bytes: 162, referrer: "-", agent: "python-requests/2.31.0" };
	return Array.from({ length: 168 }, (_, index) => {
		const path = PROBES[index] ?? random.pick(PROBES);
		const method = path === "/wp-login.php" && index > 2 ? "POST" : "GET";
		const status = path.startsWith("/.") ? 403 : 404;
		return { ...base, at: clock(3, 12) + index, line: `${method} ${path} HTTP/1.1`, status, seconds: 0.003 + random.next() * 0.004 };
	});
}

/** A crawler that comes by every few minutes all day, and mostly finds nothing new. */
export function crawler(random: Random): Request[] {
	const requests: Request[] = [];
	const agent = "Mozilla/5.0 (compatible; TeaIndexBot/2.1; +https://teaindex.example/bot)";
	const paths = ["/robots.txt", "/products/kettle", "/products/teapot", "/products/sencha", "/products/oolong", "/about", "/"] as const;
	for (let at = 40; at < 24 * 3600; at += random.between(120, 420)) {
		const status = random.chance(0.7) ? 304 : 200;
		const bytes = status === 304 ? 0 : random.between(500, 7_000);
		const line = `GET ${random.pick(paths)} HTTP/1.1`;
		requests.push({ at, client: "192.0.2.44", line, status, bytes, referrer: "-", agent, seconds: 0.01 + random.next() * 0.05 });
	}
	return requests;
}

/** Clients that speak TLS to the plain port: nginx logs the bytes it got in the place of a request. */
export function notHttp(): Request[] {
	return [clock(5, 51), clock(13, 7), clock(22, 18)].map((at) => ({
		at,
		client: "198.51.100.201",
		line: "\\x16\\x03\\x01\\x02\\x00\\x01\\x00\\x01\\xFC\\x03\\x03",
		status: 400,
		bytes: 150,
		referrer: "-",
		agent: "-",
		seconds: 0,
	}));
}
