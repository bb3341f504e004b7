import { type DoctorOptions, Sandbox } from "@robot-lab/sandbox";
import { type Command, Option } from "commander";
import type { Context } from "../context.js";
import { EXIT } from "../exit.js";
import { addJsonOption, type JsonOption } from "../options.js";
import { jsonDocument } from "../render/json.js";
import { renderDoctor } from "../render/sandbox-doctor.js";

type DoctorCommandOptions = JsonOption & Pick<DoctorOptions, "backend"> & { readonly strict?: true };

export function addSandboxDoctorCommand(sandbox: Command, context: Context): void {
	const command = sandbox
		.command("doctor")
		.description("try for real what confinement keeps scripts from on this machine; takes some ten seconds")
		.addOption(
			new Option("--backend <name>", "what to check (default: auto, which is seatbelt on macOS and bubblewrap on Linux)").choices([
				"auto",
				"seatbelt",
				"bubblewrap",
			]),
		)
		.option("--strict", "fail as well where a check was not tried that every computer can try");
	addJsonOption(command, "print one JSON document").action((options: DoctorCommandOptions) => examine(options, context));
}

async function examine({ json, backend, strict }: DoctorCommandOptions, { terminal, interrupt, exitWith }: Context): Promise<void> {
	const report = await Sandbox.doctor({ signal: interrupt.signal, ...(backend !== undefined && { backend }) });
	const text = (): string => `${renderDoctor(report, terminal.outStyle, terminal.width).join("\n")}\n`;
	terminal.out(json === true ? jsonDocument(report) : text());
	const isEnough = report.isHealthy && !(strict === true && report.untried.length > 0);
	exitWith(isEnough ? EXIT.done : EXIT.failed);
}
