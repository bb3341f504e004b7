/** A finite number from 0 on. Providers report all kinds of things, and one NaN would lift a limit for ever. */
export const isAmount = (value: unknown): value is number => typeof value === "number" && value >= 0 && Number.isFinite(value);

/** The value where it is an amount. */
export const amountOr = (value: unknown, otherwise: number): number => (isAmount(value) ? value : otherwise);
