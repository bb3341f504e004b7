import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Laboratory } from "../../src/doctor/attempt.js";
import type { DoctorRow } from "../../src/doctor/check.js";
import { CHECKS } from "../../src/doctor/checks/checks.js";
import { examine } from "../../src/doctor/examine.js";
import { openListeners } from "../../src/doctor/listeners.js";
import { plantSecret } from "../../src/doctor/planted.js";
import { chooseStrategy } from "../../src/strategy/choose.js";
import { put, workshop } from "../support/workshop.js";

/** Puts a bwrap first on PATH that hands the real one something else than it was told: `change` is Perl over its arguments, each with a NUL behind it. */
export function sabotage(change: string): void {
	wrap(`exec 3< <(perl -0777 -pe '${change}' <&3)\nexec "$real" "$@"`);
}

/** Puts a bwrap first on PATH that the probe takes for a working one, and that runs everything else as it comes, without the shell that compares mounts. */
export function runDirectly(): void {
	wrap(`while [ "$1" != -- ]; do [ "$1" = --version ] && exec "$real" --version; shift; done; shift
case "$*" in *vm/swappiness*) echo '{ "child-pid": 1 }{ "exit-code": 42 }' >&5; exit 42; esac
echo '{ "child-pid": 1 }' >&5
shift 4; "$@"; code=$?
echo "ended $code" >&8
echo "{ \\"exit-code\\": $code }" >&5; exit $code`);
}

function wrap(code: string): void {
	const { PATH = "" } = process.env;
	const directory = workshop();
	put(join(directory, "bwrap"), `#!/bin/bash\nreal=$(PATH=\${PATH#*:} command -v bwrap)\n${code}\n`, 0o755);
	process.env.PATH = `${directory}:${PATH}`;
	onTestFinished(() => {
		process.env.PATH = PATH;
	});
}

/** Tries the checks of these names on Linux, in their order. */
export async function diagnose(names: readonly string[]): Promise<Readonly<Record<string, DoctorRow>>> {
	const listeners = await openListeners();
	using _ = plantSecret();
	try {
		const laboratory: Laboratory = {
			host: { platform: "linux", choose: chooseStrategy },
			platform: "linux",
			backend: "bubblewrap",
			listeners,
		};
		const rows: Record<string, DoctorRow> = {};
		for (const check of CHECKS.filter(({ name }) => names.includes(name))) rows[check.name] = await examine(check, laboratory);
		return rows;
	} finally {
		await listeners.close();
	}
}
