// `npm start`, `npm test` and the other root scripts: set up what is missing, then do the task.
import { join } from "node:path";
import { fail, install, missing, packageFolders, pnpmExec, root, run, turbo, turboStatus } from "./setup.mjs";
import { clearReports, summarise } from "./test-summary.mjs";

const tasks = {
	start() {
		turbo(["build", "--filter=@robot-lab/examples...", "--output-logs=errors-only", "--log-order=grouped"]);
		run(["node", join(root, "apps/examples/demo.mjs")], "run the demonstration");
	},
	build: () => turbo(["build"]),
	check() {
		run(["biome", "check", "--error-on-warnings", "."], "lint and check the format");
		turbo(["typecheck", "--output-logs=new-only"]);
	},
	// One package after another: tests of deadlines and of what is left alive share the processors with nobody.
	test() {
		clearReports();
		const status = turboStatus(["test", "--continue", "--concurrency=1", "--output-logs=new-only", "--log-order=grouped"]);
		process.exitCode = summarise(status === 0) ? 0 : 1;
	},
	release() {
		turbo(["build"]);
		nameRepository();
		pnpmExec(["changeset", "publish"]);
	},
	bench() {
		turbo(["build", "--output-logs=errors-only"]);
		run(["node", join(root, "apps/bench/dist/main.js"), ...process.argv.slice(3)], "run the benchmarks");
	},
};

const task = tasks[process.argv[2]];
if (!task) fail(`Unknown task "${process.argv[2]}": use one of ${Object.keys(tasks).join(", ")}`);
const lines = missing();
if (lines.length > 0) fail(lines.join("\n"));
install();
task();

// npm's provenance asks that a package names the repository it was built in; whoever publishes from a fork builds in another one.
function nameRepository() {
	const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
	if (!GITHUB_REPOSITORY) fail("Publishing with provenance works in GitHub Actions only: merge the release pull request instead");
	for (const directory of packageFolders()) {
		const url = `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`;
		run(
			["npm", "pkg", "set", "repository.type=git", `repository.url=${url}`, `repository.directory=${directory}`, "--prefix", directory],
			"name the repository",
		);
	}
}
