import type { Random } from "./random.js";
import type { Request } from "./request.js";

const SHOP = "https://shop.example.com";
const AGENTS = [
	"Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0",
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6) Safari/605.1.15",
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/139.0.0.0 Safari/537.36",
	"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Mobile/15E148",
	"ShopApp/4.2 (Android 15)",
] as const;
const PRODUCTS = ["kettle", "teapot", "mug-blue", "mug-white", "sencha", "assam", "oolong", "strainer", "scale", "whisk"] as const;
const SEARCHES = ["green+tea", "mug", "gift", "whisk", "descaler"] as const;
const SOURCES = ["-", "-", "https://www.search.example/", "https://news.example.org/best-teapots"] as const;

/** Requests an hour relative to the busiest hour, from midnight on. */
const DAY_SHAPE = [3, 2, 1, 1, 1, 2, 4, 6, 8, 10, 10, 10, 9, 9, 8, 8, 8, 9, 10, 10, 10, 9, 7, 5];
const VISITS_IN_BUSIEST_HOUR = 33;

interface Page {
	readonly line: string;
	readonly bytes: number;
	readonly status?: number;
}

const get = (path: string, bytes: number, status?: number): Page => ({
	line: `GET ${path} HTTP/1.1`,
	bytes,
	...(status !== undefined && { status }),
});

/** The pages one visitor asks for, in order. */
function pagesOf(random: Random): Page[] {
	const pages = [get("/", 8_412)];
	if (random.chance(0.6)) pages.push(get("/css/site.css", 14_020), get("/js/app.js", 88_113));
	if (random.chance(0.3)) pages.push(get(`/search?q=${random.pick(SEARCHES)}`, random.between(2_000, 9_000)));
	for (let count = random.between(0, 3); count > 0; count--) {
		const product = random.pick(PRODUCTS);
		pages.push(get(`/products/${product}`, random.between(6_000, 7_500)), get(`/img/${product}.jpg`, random.between(20_000, 60_000)));
	}
	// The about page still names a photograph that was removed.
	if (random.chance(0.12)) pages.push(get("/about", 5_230), get("/img/team-2024.jpg", 162, 404));
	if (random.chance(0.25)) pages.push(get("/cart", 3_900), { line: "POST /api/checkout HTTP/1.1", bytes: 412 });
	return pages;
}

function visit(start: number, random: Random): Request[] {
	const client = `203.0.113.${random.between(1, 254)}`;
	const agent = random.pick(AGENTS);
	let at = start;
	let referrer: string = random.pick(SOURCES);
	return pagesOf(random).map(({ line, bytes, status = 200 }) => {
		const request = { at, client, line, status, bytes, referrer, agent, seconds: 0.02 + random.next() * 0.16 };
		at += line.includes("/img/") || line.includes("/css/") ? 1 : random.between(2, 45);
		referrer = `${SHOP}/`;
		return request;
	});
}

/** A day of people who look around and sometimes buy. */
export function visitors(random: Random): Request[] {
	return DAY_SHAPE.flatMap((weight, hour) => {
		const visits = Math.round((VISITS_IN_BUSIEST_HOUR * weight) / 10);
		return Array.from({ length: visits }, () => visit(hour * 3600 + random.between(0, 3599), random)).flat();
	}).filter(({ at }) => at < 24 * 3600);
}
