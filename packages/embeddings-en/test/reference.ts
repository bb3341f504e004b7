import { readFileSync } from "node:fs";

/** What another implementation of the model makes of some texts (scripts/build-reference.mjs). */
export const REFERENCE: readonly { readonly text: string; readonly ids: readonly number[]; readonly vector?: readonly number[] }[] =
	JSON.parse(readFileSync(new URL("fixtures/reference.json", import.meta.url), "utf8"));
