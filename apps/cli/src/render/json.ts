/** One JSON document as people can read it, too. */
export const jsonDocument = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** One line of JSON lines. */
export const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`;
