import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory of templates, gone when the test is. What lies beside it is `beside`. */
export class Prompts {
	readonly #root: string = realpathSync(mkdtempSync(join(tmpdir(), "robot-lab-templates-")));
	readonly path: string = join(this.#root, "prompts");

	constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
		onTestFinished(() => rmSync(this.#root, { recursive: true, force: true }));
		mkdirSync(this.path);
		for (const [name, text] of Object.entries(files)) this.write(name, text);
	}

	write(name: string, text: string | Uint8Array): string {
		const path = this.file(name);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
		return path;
	}

	file(name: string): string {
		return join(this.path, name);
	}

	beside(name: string): string {
		return join(this.#root, name);
	}
}
