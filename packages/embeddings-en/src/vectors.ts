import type { Calibration } from "./contract.js";

/** A kind of vector: its name, what its cosines are worth, and how it is made of a text once its data are read. */
export interface Vectors {
	readonly id: string;
	readonly calibration: Calibration;
	readonly load: () => Promise<(text: string) => Float32Array>;
}
