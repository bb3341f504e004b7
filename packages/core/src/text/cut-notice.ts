/** What stands in the place of output that was left out, wherever it was cut. */
export const cutNotice = (bytes: number): string => `\n[… ${bytes.toLocaleString("en-US")} bytes cut …]\n`;
