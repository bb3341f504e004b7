/** One instruction of the kernel's classic packet filter: an operation, two relative jumps and a constant. */
export interface Instruction {
	readonly code: number;
	readonly ifTrue: number;
	readonly ifFalse: number;
	readonly value: number;
}

const LOAD_WORD = 0x20;
const JUMP = 0x05;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_ABOVE = 0x25;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;

/** A jump is counted in one byte. */
const LONGEST_JUMP = 255;
const INSTRUCTION_BYTES = 8;

/** Where the parts of the kernel's `struct seccomp_data` begin. */
const NUMBER_OFFSET = 0;
const ARCHITECTURE_OFFSET = 4;
const ARGUMENTS_OFFSET = 16;

const load = (offset: number): Instruction => ({ code: LOAD_WORD, ifTrue: 0, ifFalse: 0, value: offset });

export const loadNumber: Instruction = load(NUMBER_OFFSET);
export const loadArchitecture: Instruction = load(ARCHITECTURE_OFFSET);

/** The low word of an argument, on a little-endian processor. The kernel drops the high word of what it takes for an int; so must whoever compares. */
export const loadArgument = (index: number): Instruction => load(ARGUMENTS_OFFSET + index * 8);

export const answerWith = (action: number): Instruction => ({ code: RETURN, ifTrue: 0, ifFalse: 0, value: action });

/** Goes past that many instructions. */
export const skip = (count: number): Instruction => ({ code: JUMP, ifTrue: 0, ifFalse: 0, value: count });

/** A test of the loaded word. */
export type Test = "equals" | "atLeast" | "above" | "anyBitOf";

const CODES: Readonly<Record<Test, number>> = {
	equals: JUMP_EQUAL,
	atLeast: JUMP_AT_LEAST,
	above: JUMP_ABOVE,
	anyBitOf: JUMP_ANY_BIT,
};

/** Goes on with the next instruction when the test holds, and else past `skipped` of them. */
export function unless(test: Test, value: number, skipped: number): Instruction {
	if (skipped > LONGEST_JUMP) throw new RangeError(`A filter cannot jump over ${skipped} instructions.`);
	return { code: CODES[test], ifTrue: 0, ifFalse: skipped, value };
}

/** The instructions as the kernel reads them. */
export function encode(instructions: readonly Instruction[]): Uint8Array {
	const bytes = Buffer.alloc(instructions.length * INSTRUCTION_BYTES);
	instructions.forEach(({ code, ifTrue, ifFalse, value }, index) => {
		const at = index * INSTRUCTION_BYTES;
		bytes.writeUInt16LE(code, at);
		bytes.writeUInt8(ifTrue, at + 2);
		bytes.writeUInt8(ifFalse, at + 3);
		bytes.writeUInt32LE(value >>> 0, at + 4);
	});
	return bytes;
}
