import { homedir } from "node:os";
import { onTestFinished } from "vitest";
import { moveTemporaryDirectory, workshop } from "../support/workshop.js";

/** Where a doctor of this test makes what it needs, and nobody else anything. */
export interface OwnSurroundings {
	readonly home: string;
	/** Its name is in the command line of every script of the doctor's, and in nobody else's. */
	readonly temporary: string;
}

/**
 * Gives this test a home and a temporary directory of its own: other doctors may be at work meanwhile. Programs at the home that it leaves
 * are not on its PATH any more: shims of pyenv and the like look for the rest of themselves at home.
 */
export function ownSurroundings(): OwnSurroundings {
	const [home, temporary] = [workshop(), workshop()];
	const { HOME, PATH = "" } = process.env;
	const left = homedir();
	const { restore } = moveTemporaryDirectory(temporary);
	process.env.HOME = home;
	process.env.PATH = PATH.split(":")
		.filter((directory) => !directory.startsWith(`${left}/`))
		.join(":");
	onTestFinished(() => {
		restore();
		process.env.PATH = PATH;
		if (HOME === undefined) delete process.env.HOME;
		else process.env.HOME = HOME;
	});
	return { home, temporary };
}
