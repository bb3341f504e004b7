import { fileURLToPath } from "node:url";

const inExamples = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** One day of a tea shop's web server. */
export const ACCESS_LOG: string = inExamples("data/access.log");

export const SKILLS: string = inExamples("skills");
