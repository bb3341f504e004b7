import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder with these files in it, gone when the test is; what lies in a scripts folder is executable. */
export function temporarySkills(files: Readonly<Record<string, string>>): string {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "robot-lab-cli-")));
	onTestFinished(() => rmSync(root, { recursive: true, force: true }));
	chmodSync(root, 0o755);
	for (const [name, text] of Object.entries(files)) {
		const path = join(root, name);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
		if (path.includes("/scripts/")) chmodSync(path, 0o755);
	}
	return root;
}

/** A SKILL.md with these lines between its fences, besides name and description. */
export function skillMd(name: string, description: string, ...lines: readonly string[]): string {
	return ["---", `name: ${name}`, `description: ${description}`, ...lines, "---", `Use ${name}.`, ""].join("\n");
}
