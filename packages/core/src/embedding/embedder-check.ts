import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue, isRecord } from "../text/describe-value.js";
import type { Calibration, Embedder } from "./embedder.js";

/** Throws ConfigurationError, beginning with `what`, for what cannot embed, and for what it cannot say of its vectors. */
export function checkEmbedder(what: string, embedder: Embedder): void {
	if (typeof embedder?.id !== "string" || typeof embedder.embed !== "function") {
		const hint = typeof embedder === "string" ? " Give what loadEmbedder() loads, or set skills.embedder to the name of its package." : "";
		throw new ConfigurationError(`${what}: embedder must have an id and an embed function, got ${describeValue(embedder)}.${hint}`);
	}
	checkVectorFacts(`${what}, the embedder ${describeValue(embedder.id)}`, embedder);
}

const CALIBRATION: Readonly<Record<keyof Calibration, "needed" | "optional">> = {
	bias: "needed",
	score: "needed",
	margin: "needed",
	activate: "optional",
	offer: "optional",
};

/** Throws ConfigurationError, beginning with `what`, for what says nothing of an embedder's vectors. */
export function checkVectorFacts(
	what: string,
	{ threshold, calibration, saysSame }: { readonly [Name in "threshold" | "calibration" | "saysSame"]?: Embedder[Name] | undefined },
): void {
	const refused = (name: string, wanted: string, got: unknown): ConfigurationError =>
		new ConfigurationError(`${what}: ${name} must be ${wanted}, got ${describeValue(got)}.`);
	if (threshold !== undefined && !Number.isFinite(threshold)) throw refused("threshold", "a finite number", threshold);
	if (saysSame !== undefined && typeof saysSame !== "function") throw refused("saysSame", "a function of two texts", saysSame);
	if (calibration === undefined) return;
	if (!isRecord(calibration)) throw refused("calibration", "{ bias, score, margin, activate?, offer? }", calibration);
	const unknown = Object.keys(calibration).find((name) => !Object.hasOwn(CALIBRATION, name));
	if (unknown !== undefined) throw refused("calibration", "{ bias, score, margin, activate?, offer? }", unknown);
	for (const [name, kind] of Object.entries(CALIBRATION)) {
		const value = calibration[name as keyof Calibration];
		const isAbsent = kind === "optional" && value === undefined;
		if (!isAbsent && !Number.isFinite(value)) throw refused(`calibration.${name}`, "a finite number", value);
	}
}
