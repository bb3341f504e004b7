import type { Json } from "../json/json-values.js";
import { RobotResult } from "../message/robot-result.js";

/** Reads records of results, each once as long as it is the same record: a list that grows by one is read often. */
export class KeptResults {
	readonly #read: WeakMap<object, RobotResult> = new WeakMap();

	/** Throws ConfigurationError naming the field where a record is none of a result. */
	of(records: readonly Json[]): readonly RobotResult[] {
		return records.map((record) => {
			const known = typeof record === "object" && record !== null ? this.#read.get(record) : undefined;
			const result = known ?? RobotResult.fromJSON(record);
			if (typeof record === "object" && record !== null) this.#read.set(record, result);
			return result;
		});
	}
}
