import {
	type AgentSkill,
	checkAgainstLock,
	createSkillLock,
	type LockDifference,
	readSkillLock,
	type SkillLock,
	writeSkillLock,
} from "@robot-lab/core";
import type { Command } from "commander";
import { openCatalog } from "../catalog.js";
import type { Context } from "../context.js";
import { WorkError } from "../exit.js";
import { addJsonOption, addSkillsOption, type JsonOption, type SkillsOption } from "../options.js";
import { changesWords } from "../render/changes-words.js";
import { renderDiagnostics } from "../render/diagnostics.js";
import { jsonDocument } from "../render/json.js";
import { printableLine } from "../render/printable.js";

interface LockOptions extends SkillsOption, JsonOption {
	readonly check?: boolean;
}

/** In the working directory, where it is committed. */
const FILE = "skills-lock.json";

export function addSkillsLockCommand(skills: Command, context: Context): void {
	const command = skills
		.command("lock")
		.description(`write down what every skill is now, file by file, in ${FILE}`)
		.option("--check", `write nothing; exit with 1 when a skill is not what ${FILE} says, or is broken`);
	addJsonOption(addSkillsOption(command), "print one JSON document").action((options: LockOptions) => lockSkills(options, context));
}

async function lockSkills(options: LockOptions, { terminal }: Context): Promise<void> {
	const catalog = await openCatalog(options.skills);
	const skills = await catalog.all();
	const diagnostics = (await catalog.diagnostics()).filter(({ severity }) => severity === "error");
	if (!options.json) for (const line of renderDiagnostics(diagnostics, terminal.errStyle)) terminal.err(`${line}\n`);
	if (options.check) {
		const differences = await differencesFrom(await readSkillLock(FILE), skills);
		terminal.out(
			options.json ? jsonDocument({ file: FILE, differences, diagnostics }) : differences.map((one) => `${differenceLine(one)}\n`).join(""),
		);
		if (differences.length > 0) throw new WorkError(`${counted(differences.length)} not what ${FILE} says.`);
		if (diagnostics.length > 0) throw new WorkError(`What is broken was left out, so nobody knows whether it is what ${FILE} says.`);
		if (!options.json) terminal.out(`${counted(skills.length)} what ${FILE} says.\n`);
		return;
	}
	const lock = await createSkillLock(skills);
	await writeSkillLock(FILE, lock);
	terminal.out(
		options.json
			? jsonDocument({ file: FILE, ...lock, diagnostics })
			: `${counted(skills.length)} in ${FILE} now.${diagnostics.length > 0 ? " What is broken was left out." : ""}\n`,
	);
}

type Difference = { readonly skill: string } & (LockDifference | { readonly kind: "missing" });

async function differencesFrom(lock: SkillLock, skills: readonly AgentSkill[]): Promise<readonly Difference[]> {
	const found = new Set(skills.map(({ name }) => name));
	const missing = Object.keys(lock.skills).filter((name) => !found.has(name));
	const differences: Difference[] = missing.map((skill) => ({ skill, kind: "missing" }));
	for (const skill of skills) {
		const difference = await checkAgainstLock(lock, skill);
		if (difference !== undefined) differences.push({ skill: skill.name, ...difference });
	}
	return differences;
}

function differenceLine(difference: Difference): string {
	const name = printableLine(difference.skill, 80);
	if (difference.kind === "files_changed") return `${name}: ${changesWords(difference.changes)}`;
	return `${name}: ${difference.kind === "missing" ? "in the lock, and not there" : "there, and not in the lock"}`;
}

const counted = (count: number): string => (count === 1 ? "1 skill is" : `${count} skills are`);
