// Writes the safetensors format: the length of a JSON header as 8 bytes, the header, the tensors.

/** `tensors`: name to { shape, values: Int8Array | Float32Array }. Float32 comes first, so that all of it is aligned. */
export function tensorFile(tensors, metadata) {
	const sorted = Object.entries(tensors).sort(([, left], [, right]) => right.values.BYTES_PER_ELEMENT - left.values.BYTES_PER_ELEMENT);
	const header = { __metadata__: metadata };
	let offset = 0;
	for (const [name, { shape, values }] of sorted) {
		if (shape.reduce((product, size) => product * size, 1) !== values.length)
			throw new Error(`The shape of ${name} does not fit its values`);
		header[name] = { dtype: values instanceof Int8Array ? "I8" : "F32", shape, data_offsets: [offset, offset + values.byteLength] };
		offset += values.byteLength;
	}
	const json = Buffer.from(JSON.stringify(header));
	const padded = Buffer.alloc(Math.ceil(json.length / 16) * 16 + 8, " ");
	const length = Buffer.alloc(8);
	length.writeBigUInt64LE(BigInt(padded.length));
	json.copy(padded);
	return Buffer.concat([
		length,
		padded,
		...sorted.map(([, { values }]) => Buffer.from(values.buffer, values.byteOffset, values.byteLength)),
	]);
}

/** Rows of floats to bytes and one scale a row: what is largest in a row becomes 127. */
export function quantizeRows(values, rows, columns) {
	const bytes = new Int8Array(rows * columns);
	const scales = new Float32Array(rows);
	for (let row = 0; row < rows; row += 1) {
		let largest = 0;
		for (let column = 0; column < columns; column += 1) largest = Math.max(largest, Math.abs(values[row * columns + column]));
		const scale = Math.fround(largest / 127) || 1;
		scales[row] = scale;
		for (let column = 0; column < columns; column += 1) bytes[row * columns + column] = Math.round(values[row * columns + column] / scale);
	}
	return { bytes, scales };
}
