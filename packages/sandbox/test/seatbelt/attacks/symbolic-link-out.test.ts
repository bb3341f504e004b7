import { describe } from "vitest";
import { CLOSED, can, cannot, cannotRead, canRead, file, PROTECTED } from "../checks/check.js";
import { SCENARIOS } from "../checks/scenarios.js";
import { HOME, PROJECT, SKILL } from "../pretend-mac.js";
import { itStops } from "./attack.js";

const OUT = `${PROJECT}/out`;

/** A link can be made, and is of no use: what the kernel asks about is where it leads. */
describe.each(SCENARIOS)("a symbolic link out of the grant ($name)", ({ profile }) => {
	itStops({
		profile,
		checks: [
			can("the link can be made", "file-write-create", { path: `${OUT}/link`, vnodeType: "SYMLINK" }),
			can("a link that leads into the grant can be looked at", "file-read-metadata", { path: `${OUT}/link`, vnodeType: "SYMLINK" }),
			canRead(`${PROJECT}/data/in.csv`),
			...[`${HOME}/.ssh/id_ed25519`, "/private/etc/master.passwd", "/Volumes/Backup/x"].flatMap((target) => [
				cannotRead(target, CLOSED),
				cannot(`${target} cannot be written through it`, "file-write-data", file(target)),
				cannot(`nothing can be made at ${target} through it`, "file-write-create", file(target)),
				cannot(`${target} cannot be looked at through it`, "file-read-metadata", file(target)),
			]),
			cannot("the skill cannot be written through it", "file-write-data", file(`${SKILL}/SKILL.md`)),
			...[".vscode", ".git", ".git/hooks", ".zshrc"].map((name) =>
				cannot(`no link can be put at ${name}`, "file-write-create", { path: `${OUT}/${name}`, vnodeType: "SYMLINK" }, PROTECTED),
			),
		],
	});
});
