import type { Model, ModelChoice } from "../model/model.js";
import { resolveModel } from "../model/resolve-model.js";

/** The model of a robot, made once for as long as it is the same choice. */
export class RobotModel {
	#last: { readonly choice: ModelChoice; readonly model: Promise<Model> } | undefined;

	/** A model that could not be made is tried again by the next run: its package may be installed by then. */
	resolve(choice: ModelChoice): Promise<Model> {
		if (this.#last?.choice === choice) return this.#last.model;
		const model = resolveModel(choice).catch((error) => {
			if (this.#last?.model === model) this.#last = undefined;
			throw error;
		});
		this.#last = { choice, model };
		return model;
	}
}
