// Adds up the JSON reports that the packages' test runs leave behind.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { packageFolders, root } from "./setup.mjs";

const reportOf = (folder) => join(root, folder, ".reports", "tests.json");

/** An old report must not count for a run that did not happen. */
export function clearReports() {
	for (const folder of packageFolders()) rmSync(reportOf(folder), { force: true });
}

/** Prints what was skipped and the closing line; false when a test failed, a report is missing or nothing ran. */
export function summarise() {
	const tested = packageFolders().filter(hasTests);
	const absent = tested.filter((folder) => !existsSync(reportOf(folder)));
	const reports = tested
		.filter((folder) => existsSync(reportOf(folder)))
		.map((folder) => JSON.parse(readFileSync(reportOf(folder), "utf8")));
	const files = reports.flatMap((report) => report.testResults);
	const tests = files.flatMap((file) => file.assertionResults.map((test) => ({ ...test, file: relative(root, file.name) })));
	// A file that fails before its first test has no test to count: it counts as one itself.
	const broken = files.filter((file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"));
	const passed = tests.filter((test) => test.status === "passed").length;
	const skipped = tests.filter((test) => test.status !== "passed" && test.status !== "failed");
	// Nor has an error outside of every test, such as a rejection nobody handled.
	const unhandled = reports.filter((report) => !report.success && report.testResults.every((file) => file.status === "passed"));
	const failed = tests.length - passed - skipped.length + broken.length + absent.length + unhandled.length;

	for (const test of skipped) console.log(`skipped: ${test.fullName} (${test.file})`);
	for (const file of broken) console.log(`failed: ${relative(root, file.name)} could not be run`);
	if (unhandled.length > 0) console.log("failed: an error outside of every test, see above");
	for (const folder of absent) console.log(`failed: ${folder} left no test report`);
	if (passed + failed === 0) console.log("failed: no test was run");
	if (skipped.length > 0 && process.env.REQUIRE_CONFINEMENT === "1") console.log("failed: REQUIRE_CONFINEMENT=1 allows no skipped test");
	console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
	return failed === 0 && passed > 0 && !(skipped.length > 0 && process.env.REQUIRE_CONFINEMENT === "1");
}

function hasTests(folder) {
	return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")).scripts?.test !== undefined;
}
