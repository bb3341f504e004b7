const WORD_WEIGHT = 2;
const GRAM_LENGTHS = [3, 4, 5] as const;

/**
 * Words and the letters they are made of, hashed into one vector: names that no model knows are like themselves. The vector has length 1, or is
 * all zeros where there are no words.
 */
export function hashedWords(words: readonly string[], dimensions: number): Float32Array {
	const vector = new Float32Array(dimensions);
	for (const word of words) {
		add(vector, `w:${word}`, WORD_WEIGHT);
		addGrams(vector, ` ${word} `);
	}
	return vector;
}

/** Parts of a word count less the longer it is, so that a long word does not outweigh a short one. */
function addGrams(vector: Float32Array, padded: string): void {
	const weight = 1 / Math.sqrt(padded.length);
	for (const length of GRAM_LENGTHS) {
		for (let start = 0; start + length <= padded.length; start++) add(vector, padded.slice(start, start + length), weight);
	}
}

/** The hash chooses the place and the sign, so that two features that share a place cancel out as often as they add up. */
function add(vector: Float32Array, feature: string, weight: number): void {
	const hash = hashOf(feature);
	const place = hash % vector.length;
	vector[place] = (vector[place] ?? 0) + (hash & 0x8000_0000 ? -weight : weight);
}

/** FNV-1a with a final mixing, as an unsigned 32-bit number. */
function hashOf(text: string): number {
	let hash = 0x811c_9dc5;
	for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
	hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
	return (hash ^ (hash >>> 13)) >>> 0;
}
