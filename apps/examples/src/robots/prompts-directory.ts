import { fileURLToPath } from "node:url";

/** Where the templates of these examples are. */
export const PROMPTS: string = fileURLToPath(new URL("../../prompts", import.meta.url));
