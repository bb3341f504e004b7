import type { ConfigFile, ConfigOrigin, ConfigSetting, ConfigSources } from "@robot-lab/core";
import { columns } from "./columns.js";
import { printableLine } from "./printable.js";
import type { Style } from "./style.js";

/** Each setting, its value and where that came from, and the files that were looked for. */
export function renderConfig({ environment, files, settings }: ConfigSources, style: Style): string[] {
	const rows = columns(settings.map((setting) => [setting.name, valueText(setting), originText(setting.origin)]));
	return [
		style.heading(`Settings (environment ${printableLine(environment)})`),
		...rows.map((row, index) => (settings[index]?.origin.layer === "default" ? style.faint(row) : row)),
		"",
		style.heading("Files, each over the ones above it"),
		...columns(files.map((file) => [printableLine(file.path), stateText(file)])),
		"",
		"The commands that run scripts confine them whatever sandbox.enabled says, unless --no-sandbox is given.",
	];
}

/** The same for programs: every setting has a value, null where there is none. */
export function configRecord({ settings, ...others }: ConfigSources): object {
	return { ...others, settings: settings.map(({ name, value = null, origin }) => ({ name, value, origin })) };
}

function valueText({ value }: ConfigSetting): string {
	if (value === undefined) return "-";
	return printableLine(typeof value === "string" ? value : JSON.stringify(value));
}

/** Where a setting stands. */
export function originText(origin: ConfigOrigin): string {
	switch (origin.layer) {
		case "default":
			return "default";
		case "variable":
			return origin.variable;
		case "configure":
			return "configure()";
		default: {
			const section = origin.environment === undefined ? "" : ` (${printableLine(origin.environment)})`;
			return `${printableLine(origin.path)}:${origin.line}${section}`;
		}
	}
}

function stateText({ state, trusted }: ConfigFile): string {
	if (state === "skipped") return "not read in the environment test";
	if (state === "absent") return "not there";
	if (trusted === undefined) return "read";
	return trusted ? "read; trusted, all of it counts" : "read; it may only confine more";
}
