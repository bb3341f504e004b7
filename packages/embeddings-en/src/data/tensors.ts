/** Where each tensor of a file lies, in bytes from the file's beginning. */
export type TensorPlaces = ReadonlyMap<string, { readonly begin: number; readonly end: number }>;

const LENGTH_BYTES = 8;

/** Reads the header of a file in the safetensors format. Throws what JSON.parse throws. */
export function tensorPlaces(file: Uint8Array): TensorPlaces {
	const bytes = Number(new DataView(file.buffer, file.byteOffset, LENGTH_BYTES).getBigUint64(0, true));
	const start = LENGTH_BYTES + bytes;
	const header: Record<string, { readonly data_offsets?: readonly [number, number] }> = JSON.parse(
		new TextDecoder().decode(file.subarray(LENGTH_BYTES, start)),
	);
	return new Map(
		Object.entries(header).flatMap(([name, { data_offsets: place }]) =>
			place === undefined ? [] : [[name, { begin: start + place[0], end: start + place[1] }] as const],
		),
	);
}

/** The place of a tensor. Throws where the file has none of this name. */
export function placeOf(places: TensorPlaces, name: string): { readonly begin: number; readonly end: number } {
	const place = places.get(name);
	if (place === undefined) throw new Error(`The data of @robot-lab/embeddings-en have no "${name}": install the package again.`);
	return place;
}
