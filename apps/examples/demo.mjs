// What `npm start` shows: one question over a real file, answered by a robot with skills. Ends with 1 unless a skill fitted and its script ran.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const QUESTION = "Summarise the web server log apps/examples/data/access.log: which paths fail most?";
// the skills are this repository's own: nobody is asked about them
const ARGUMENTS = ["run", QUESTION, "--skills", "apps/examples/skills", "--strict", "--yes"];

const root = fileURLToPath(new URL("../..", import.meta.url));
const command = fileURLToPath(new URL("../cli/dist/main.js", import.meta.url));

console.log(`$ robot-lab ${ARGUMENTS.map((word) => (word.includes(" ") ? `"${word}"` : word)).join(" ")}\n`);
const { status } = spawnSync(process.execPath, [command, ...ARGUMENTS], { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 130;
