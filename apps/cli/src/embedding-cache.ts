import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { config, EmbeddingCache } from "@robot-lab/core";

/** Where the user's vectors of skills are kept between two commands; nowhere for the lexical embedder, which makes them faster than a disk gives them. */
export function userEmbeddingCache(embedder: string | undefined = config().skills.embedder): EmbeddingCache | undefined {
	if (embedder === undefined || embedder === "lexical") return undefined;
	const { XDG_CACHE_HOME: base } = process.env;
	const directory = base !== undefined && isAbsolute(base) ? base : join(homedir(), ".cache");
	return new EmbeddingCache({ directory: join(directory, "robot_lab", "embeddings") });
}
