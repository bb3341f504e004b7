import { affected, checkoutOutage, crawler, notHttp, scanner } from "./incidents.js";
import { seededRandom } from "./random.js";
import { formatRequest } from "./request.js";
import { visitors } from "./visitors.js";

const SEED = 20_261_014;

/** One day of a tea shop's web server, the same text on every call. */
export function accessLog(): string {
	const random = seededRandom(SEED);
	const people = visitors(random).map((request) => affected(request, random));
	const requests = [...people, ...checkoutOutage(random), ...scanner(random), ...crawler(random), ...notHttp()];
	return requests
		.sort((one, other) => one.at - other.at)
		.map((request) => `${formatRequest(request)}\n`)
		.join("");
}
