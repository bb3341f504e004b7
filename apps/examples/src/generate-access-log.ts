import { writeFileSync } from "node:fs";
import { accessLog } from "./access-log/access-log.js";

const path = process.argv[2];
if (path === undefined) {
	console.error("Name the file to write: node dist/generate-access-log.js data/access.log");
	process.exitCode = 2;
} else {
	writeFileSync(path, accessLog());
}
