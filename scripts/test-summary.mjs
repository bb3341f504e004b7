// Adds up the JSON reports that the packages' test runs leave behind.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { packageFolders, root } from "./setup.mjs";

const reportOf = (folder) => join(root, folder, ".reports", "tests.json");

/** An old report must not count for a run that did not happen. */
export function clearReports() {
	for (const folder of packageFolders()) rmSync(reportOf(folder), { force: true });
}

/**
 * Prints what was skipped, what went wrong besides failing tests, and the closing line; false unless all is well.
 * `endedWell` is whether the runners said so: no report tells of an error outside of every test.
 */
export function summarise(endedWell) {
	const outcomes = packageFolders().filter(hasTests).map(outcomeOf);
	const tests = outcomes.flatMap((outcome) => outcome.tests);
	const troubles = outcomes.flatMap((outcome) => outcome.troubles);
	const passed = tests.filter((test) => test.status === "passed").length;
	const skipped = tests.filter((test) => test.status !== "passed" && test.status !== "failed");
	const failing = tests.length - passed - skipped.length;
	if (!endedWell && failing + troubles.length === 0) troubles.push("a test run ended with an error outside of every test, see above");
	const failed = failing + troubles.length;
	for (const test of skipped) console.log(`skipped: ${test.fullName} (${test.file})`);
	for (const trouble of troubles) console.log(`failed: ${trouble}`);
	console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
	return failed === 0 && passed > 0;
}

/** A package's tests, and what is wrong that no test is counted for. */
function outcomeOf(folder) {
	if (!existsSync(reportOf(folder))) return { tests: [], troubles: [`${folder} left no test report`] };
	const { testResults } = JSON.parse(readFileSync(reportOf(folder), "utf8"));
	const tests = testResults.flatMap((file) => file.assertionResults.map((test) => ({ ...test, file: relative(root, file.name) })));
	const broken = testResults.filter((file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"));
	const troubles = broken.map((file) => `${relative(root, file.name)} could not be run`);
	if (tests.length === 0) troubles.push(`${folder} ran no test`);
	return { tests, troubles };
}

function hasTests(folder) {
	return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")).scripts?.test !== undefined;
}
