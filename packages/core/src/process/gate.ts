import type { ChildProcess } from "node:child_process";
import { Socket } from "node:net";
import type { Gate } from "./bounded-run.js";

const FIRST_EXTRA = 3;

/** Answers what a child asks on the descriptors that have a gate behind them. */
export function attendGates({ stdio }: ChildProcess, fds: readonly (number | Gate | undefined)[]): void {
	fds.forEach((gate, index) => {
		const channel = stdio[FIRST_EXTRA + index];
		if (typeof gate === "function" && channel instanceof Socket) attend(channel, gate);
	});
}

/** Closes what a child that is gone left unasked, or what it left behind holds open. */
export function closeGates({ stdio }: ChildProcess): void {
	for (const channel of stdio.slice(FIRST_EXTRA)) channel?.destroy();
}

function attend(channel: Socket, gate: Gate): void {
	// A child may end before it has heard the answer.
	channel.on("error", () => {});
	channel.once("data", () => channel.end(gate()));
}
