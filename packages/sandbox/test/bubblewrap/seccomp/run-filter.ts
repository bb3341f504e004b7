/** A system call as the kernel shows it to a filter. */
export interface Call {
	readonly number: number;
	readonly architecture: number;
	readonly args?: readonly bigint[];
}

/** Runs the bytes of a filter as the kernel's interpreter does. Throws for an instruction that is not used here, for a jump out and for an end without an answer. */
export function runFilter(filter: Uint8Array, { number, architecture, args = [] }: Call): number {
	const data = Buffer.alloc(64);
	data.writeUInt32LE(number >>> 0, 0);
	data.writeUInt32LE(architecture >>> 0, 4);
	args.forEach((value, index) => {
		data.writeBigUInt64LE(BigInt.asUintN(64, value), 16 + index * 8);
	});
	const code = Buffer.from(filter);
	let loaded = 0;
	for (let at = 0; at * 8 < code.length; at += 1) {
		const [operation, yes, no, value] = [
			code.readUInt16LE(at * 8),
			code[at * 8 + 2] ?? 0,
			code[at * 8 + 3] ?? 0,
			code.readUInt32LE(at * 8 + 4),
		];
		if (operation === 0x20) loaded = data.readUInt32LE(value);
		else if (operation === 0x05) at += value;
		else if (operation === 0x15) at += loaded === value ? yes : no;
		else if (operation === 0x35) at += loaded >= value ? yes : no;
		else if (operation === 0x25) at += loaded > value ? yes : no;
		else if (operation === 0x45) at += (loaded & value) !== 0 ? yes : no;
		else if (operation === 0x06) return value;
		else throw new Error(`The filter has an unknown instruction ${operation} at ${at}.`);
	}
	throw new Error("The filter ends without an answer.");
}
