import { isInjectingVariable } from "@robot-lab/core";
import { looksSecret } from "../grant/environment.js";
import { allowed, denied, type Verdict } from "./answer.js";
import type { Surroundings } from "./surroundings.js";

/** Whether a script is handed a variable of the host's, found out by giving the host one that cannot be mistaken for another. */
export function environmentAnswer(name: string, environmentFor: Surroundings["environment"]): Verdict {
	const marker = "robot-lab-marker-of-a-variable";
	const isSet = process.env[name] !== undefined;
	const value = environmentFor({ ...process.env, [name]: marker })[name];
	if (value === marker) {
		return allowed("the host's variable is handed over", {
			why: isSet ? "it is on the list of what scripts inherit" : "it is not set now",
		});
	}
	if (value !== undefined) return allowed("the script has a value of its own, not the host's", { why: `it is ${JSON.stringify(value)}` });
	return denied("the host's variable is not handed over", { why: whyNot(name) });
}

function whyNot(name: string): string {
	if (isInjectingVariable(name)) return "whoever sets it chooses code that programs load, so no script gets it";
	const step = "name it in sandbox.envPass to hand it over";
	return looksSecret(name) ? `its name is a secret's; ${step}` : `it is not on the list of what scripts inherit; ${step}`;
}
