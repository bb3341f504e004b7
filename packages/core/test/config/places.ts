import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Config } from "../../src/config/config.js";
import { type LoadedConfig, loadConfig } from "../../src/config/load-config.js";
import { resolveConfig } from "../../src/config/resolve.js";

/** A home directory and a project in it, both real, gone when the test is. */
export class Places {
	readonly home: string = realpathSync(mkdtempSync(join(tmpdir(), "robot-lab-config-")));
	readonly project: string = join(this.home, "work/cloned");

	constructor() {
		onTestFinished(() => rmSync(this.home, { recursive: true, force: true }));
		mkdirSync(join(this.project, "config"), { recursive: true });
	}

	get userFile(): string {
		return join(this.home, ".config/robot_lab/config.yml");
	}

	get projectFile(): string {
		return join(this.project, "config/robot_lab.yml");
	}

	write(path: string, text: string | Uint8Array): string {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
		return path;
	}

	load(variables: Readonly<Record<string, string>> = {}): LoadedConfig {
		return loadConfig({ variables, home: this.home, directory: this.project });
	}

	/** What `config()` would be. */
	config(variables: Readonly<Record<string, string>> = {}): Config {
		return resolveConfig(this.load(variables).written);
	}
}
