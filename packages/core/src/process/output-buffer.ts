import { cutNotice } from "../text/cut-notice.js";

const INITIAL_CAPACITY = 4096;

/**
 * Keeps the first quarter of a budget and the last three quarters of what follows, in memory that grows with the output and
 * never past the budget.
 */
export class OutputBuffer {
	readonly #headBudget: number;
	readonly #tailBudget: number;
	#head: Buffer = Buffer.alloc(0);
	#headLength = 0;
	#tail: Buffer = Buffer.alloc(0);
	#tailStart = 0;
	#tailLength = 0;
	#total = 0;

	/** @param budget Bytes kept at most. */
	constructor(budget: number) {
		this.#headBudget = Math.floor(budget / 4);
		this.#tailBudget = budget - this.#headBudget;
	}

	/** Takes a copy of `chunk`: the caller may use its memory again. */
	append(chunk: Uint8Array): void {
		this.#total += chunk.length;
		const toHead = Math.min(chunk.length, this.#headBudget - this.#headLength);
		if (toHead > 0) {
			this.#head = withRoomFor(this.#head, this.#headLength + toHead, this.#headBudget);
			this.#head.set(chunk.subarray(0, toHead), this.#headLength);
			this.#headLength += toHead;
		}
		if (toHead < chunk.length) this.#appendToTail(chunk.subarray(toHead));
	}

	/** What was kept, decoded, with the cut named in its place. */
	text(): KeptText {
		const head = this.#head.subarray(0, this.#headLength);
		const tail = this.#orderedTail();
		const cut = this.#total - head.length - tail.length;
		if (cut === 0) return { text: Buffer.concat([head, tail]).toString("utf8"), cutBytes: 0 };
		const wholeHead = withoutSplitEnd(head);
		const wholeTail = withoutSplitStart(tail);
		const cutBytes = this.#total - wholeHead.length - wholeTail.length;
		return { text: `${wholeHead.toString("utf8")}${cutNotice(cutBytes)}${wholeTail.toString("utf8")}`, cutBytes };
	}

	#appendToTail(chunk: Uint8Array): void {
		const kept = chunk.subarray(Math.max(0, chunk.length - this.#tailBudget));
		if (kept.length === 0) return;
		this.#tail = withRoomFor(this.#tail, this.#tailLength + kept.length, this.#tailBudget);
		// The start moves only once the memory has its final size, so growing never has to unroll the ring.
		const capacity = this.#tail.length;
		const end = (this.#tailStart + this.#tailLength) % capacity;
		const untilWrap = Math.min(kept.length, capacity - end);
		this.#tail.set(kept.subarray(0, untilWrap), end);
		this.#tail.set(kept.subarray(untilWrap), 0);
		const overwritten = Math.max(0, this.#tailLength + kept.length - capacity);
		this.#tailStart = (this.#tailStart + overwritten) % capacity;
		this.#tailLength = Math.min(capacity, this.#tailLength + kept.length);
	}

	#orderedTail(): Buffer {
		const untilWrap = this.#tail.subarray(this.#tailStart, Math.min(this.#tail.length, this.#tailStart + this.#tailLength));
		const wrapped = this.#tail.subarray(0, this.#tailLength - untilWrap.length);
		return wrapped.length === 0 ? untilWrap : Buffer.concat([untilWrap, wrapped]);
	}
}

/** Output as it is given to the caller. */
export interface KeptText {
	readonly text: string;
	/** Bytes that are not in the text. */
	readonly cutBytes: number;
}

function withRoomFor(memory: Buffer, length: number, budget: number): Buffer {
	if (length <= memory.length || memory.length === budget) return memory;
	const larger = Buffer.allocUnsafeSlow(Math.min(budget, Math.max(length, memory.length * 2, INITIAL_CAPACITY)));
	memory.copy(larger);
	return larger;
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function sequenceLength(lead: number): number {
	if (lead >= 0xf0 && lead <= 0xf4) return 4;
	if (lead >= 0xe0 && lead < 0xf0) return 3;
	return lead >= 0xc2 && lead < 0xe0 ? 2 : 1;
}

/** Drops the beginning of a character whose rest was cut away. */
function withoutSplitEnd(bytes: Buffer): Buffer {
	let start = bytes.length - 1;
	while (start > bytes.length - 4 && isContinuation(bytes[start])) start -= 1;
	const lead = bytes[start];
	if (lead === undefined) return bytes;
	return sequenceLength(lead) > bytes.length - start ? bytes.subarray(0, start) : bytes;
}

/** Drops the rest of a character whose beginning was cut away. */
function withoutSplitStart(bytes: Buffer): Buffer {
	let start = 0;
	while (start < 3 && isContinuation(bytes[start])) start += 1;
	return bytes.subarray(start);
}
