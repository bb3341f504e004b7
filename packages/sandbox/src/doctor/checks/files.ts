import { existsSync } from "node:fs";
import { type Check, ENOENT, EPERM, EROFS, EVERYWHERE } from "../check.js";
import { byName } from "../programs.js";

const bash = byName("bash");
const attack = (check: Omit<Check, "expect" | "run" | "platforms"> & Partial<Check>): Check => ({
	platforms: EVERYWHERE,
	expect: "refused",
	run: bash,
	says: { darwin: EPERM, linux: ENOENT },
	...check,
});
const KEPT = { darwin: EPERM, linux: EROFS };

/** What may be read and written, and ways around it. */
export const FILES: readonly Check[] = [
	{
		name: "reading and writing what is granted",
		why: "A script could not do what it was given.",
		platforms: EVERYWHERE,
		expect: "works",
		run: bash,
		script: 'cat "$IN/note" && echo changed > "$OUT/own" && grep -q changed "$OUT/own" && mkdir "$OUT/new" && echo THROUGH',
	},
	{
		name: "a temporary directory of its own, gone afterwards",
		why: "Scripts that use temporary files would fail, or leave them behind.",
		platforms: EVERYWHERE,
		expect: "works",
		onlyInside: true,
		run: bash,
		script: 'echo x > "$TMPDIR/x" && mktemp "$TMPDIR/y.XXXXXX" && echo THROUGH; echo "TMPDIR=$TMPDIR"',
		leftBehind: ({ output }) => {
			const path = /^TMPDIR=(.+)$/m.exec(output)?.[1];
			return path === undefined || existsSync(path) ? `${path ?? "TMPDIR"} is still there` : undefined;
		},
	},
	attack({
		name: "reading a file at home",
		why: "Keys and passwords in ~/.ssh and the like would be readable.",
		script: 'cat "$HIDDEN/key"',
	}),
	attack({
		name: "listing a directory at home",
		why: "Names of files tell what is there.",
		script: 'ls "$HIDDEN" | grep -q key && echo THROUGH; ls "$HIDDEN"',
	}),
	attack({
		name: "reading through a symbolic link",
		why: "A link in a granted directory would open what it leads to.",
		script: 'ln -s "$HIDDEN/key" "$OUT/link"; cat "$OUT/link"',
	}),
	attack({
		name: "moving a directory to where it may be read",
		why: "Rules for a path do not follow what is moved away from it.",
		script: 'mv "$HIDDEN" "$OUT/moved"; cat "$OUT/moved/key"',
	}),
	attack({
		name: "reading by /System/Volumes/Data",
		why: "The whole disk lies there once more.",
		platforms: ["darwin"],
		script: 'cat "/System/Volumes/Data$HIDDEN/key"',
	}),
	attack({
		name: "reading by /proc/self/root",
		why: "Processes of the host show its file system.",
		platforms: ["linux"],
		script: 'cat "/proc/self/root$HIDDEN/key" "/proc/1/root$HIDDEN/key"',
	}),
	attack({
		name: "writing a file at home",
		why: "Whatever the user owns could be changed.",
		script: 'echo changed > "$HIDDEN/key" && echo THROUGH',
	}),
	attack({
		name: "writing what may only be read",
		why: "A grant to read would be one to write.",
		script: 'echo changed > "$IN/note" && echo THROUGH',
		says: KEPT,
	}),
	attack({
		name: "deleting what may only be read",
		why: "Whatever a script may read would be gone.",
		script: 'rm -f "$IN/note" && [ ! -e "$IN/note" ] && echo THROUGH',
		says: KEPT,
	}),
	attack({
		name: "writing into the skill",
		why: "The next run would be of another script.",
		script: 'echo changed > "$SKILL_DIR/scripts/planted" && echo THROUGH',
		says: KEPT,
	}),
	attack({
		name: "writing through a hard link",
		why: "A second name in a writable directory would make a file writable.",
		script: 'ln "$IN/note" "$OUT/alias" && echo changed > "$OUT/alias" && grep -q changed "$IN/note" && echo THROUGH',
		says: { darwin: EPERM, linux: ["Invalid cross-device link"] },
	}),
	attack({
		name: "planting a git hook",
		why: "git would run it for the user later.",
		script: 'echo changed > "$OUT/.git/hooks/pre-commit" && echo THROUGH',
		says: KEPT,
	}),
	attack({
		name: "renaming .git to plant another one",
		why: "The protected name would be free again.",
		script: 'mv "$OUT/.git" "$OUT/git" && mkdir -p "$OUT/.git/hooks" && echo changed > "$OUT/.git/hooks/pre-commit" && echo THROUGH',
		says: { darwin: EPERM, linux: ["Device or resource busy"] },
	}),
	attack({
		name: "planting a git hook as .GIT/hooks",
		optional: true,
		why: "Letters of either case are the same to most disks of Macs.",
		platforms: ["darwin"],
		script: 'echo changed > "$OUT/.GIT/hooks/pre-commit" && [ -e "$OUT/.git/hooks/pre-commit" ] && echo THROUGH',
	}),
	attack({
		name: "making protected files that are not there",
		why: "Shells and editors would run them for the user later.",
		platforms: ["darwin"],
		script:
			'for name in .envrc .mcp.json .zshrc .vscode/tasks.json; do mkdir -p "$(dirname "$OUT/$name")"; echo changed > "$OUT/$name" && echo THROUGH; done',
	}),
	attack({
		name: "leaving a setuid file",
		why: "Whoever runs it would be the user.",
		script: ': > "$OUT/own"; chmod 4755 "$OUT/own"; [ -u "$OUT/own" ] && echo THROUGH',
		says: { darwin: EPERM, linux: EPERM },
	}),
];
