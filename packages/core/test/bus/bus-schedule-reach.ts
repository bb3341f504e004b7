import type { BusModel, Sent } from "./bus-schedule-model.js";
import type { SeatModel } from "./bus-schedule-seat.js";

/** Names what happened, by the model. */
export const reachOf = ({ sent, seats }: BusModel): readonly string[] => [...sent.flatMap(reachOfSent), ...seats.flatMap(reachOfSeat)];

const reachOfSent = ({ deaths, state, ask, hadToWait, places, bus }: Sent): string[] => [
	...deaths.map(({ reason }) => `dead: ${reason}`),
	`sent: ${state}`,
	...(ask === undefined ? [] : [`answer: ${Number.isNaN(Number(ask.state)) ? ask.state : "came"}`]),
	...(hadToWait ? ["had to wait"] : []),
	...(places.length > 1 ? ["several recipients"] : []),
	...(places.some(({ seat }) => seat.bus !== bus) ? ["to another bus"] : []),
];

const reachOfSeat = ({ places, counts }: SeatModel): string[] => [
	...(places.some(({ mail, attempts }) => mail.isReply && attempts === 0) ? ["passed over"] : []),
	...(counts.redelivered > 0 ? ["tried again"] : []),
	...(counts.timedOut > 0 ? ["out of time"] : []),
];
