import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Capabilities, configure, reloadConfig, type ScriptExecutor, type ScriptResult } from "@robot-lab/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { createExecutor, Executor } from "../src/run/executor.js";
import { evaluateProfile } from "../src/sbpl/index.js";
import { macPath } from "../src/seatbelt/mac-path.js";
import { noBubblewrap } from "./support/no-bubblewrap.js";
import { standIn } from "./support/stand-in.js";
import { put, workshop } from "./support/workshop.js";

/** What a bundle declares about a place of its test's own, what the host allows, and what has to come of it. */
interface BadInput {
	readonly name: string;
	readonly declared: (place: string) => Readonly<Record<string, unknown>>;
	readonly ceiling?: (place: string) => { readonly fsRead?: readonly string[]; readonly fsWrite?: readonly string[] };
	/** What the grant says was refused, or what the declaration's diagnostics say. */
	readonly told?: RegExp;
	/** The run's refusal, where the script must not run at all. By backend where they differ: macOS can grant what does not exist yet. */
	readonly refusal?: RegExp | { readonly bubblewrap: RegExp };
	/** Below the place: what has to be readable all the same. */
	readonly readable?: readonly string[];
	readonly writable?: readonly string[];
	/** Makes what only this case needs. */
	readonly prepare?: (place: string) => void;
}

const BAD_INPUTS: readonly BadInput[] = [
	{ name: "a path to read that does not exist", declared: (place) => ({ fs_read: [`${place}/missing`] }) },
	{
		name: "a path to write that does not exist",
		declared: (place) => ({ fs_write: [`${place}/missing/deeper`] }),
		refusal: { bubblewrap: /^grant_not_expressible: .*missing\/deeper".* does not exist.*create it first/ },
	},
	{ name: "a file to read", declared: (place) => ({ fs_read: [`${place}/in/note`] }), readable: ["in/note"] },
	{ name: "a file to write", declared: (place) => ({ fs_write: [`${place}/in/note`] }), readable: ["in/note"], writable: ["in/note"] },
	{ name: "a broken link", declared: (place) => ({ fs_read: [`${place}/broken`], fs_write: [`${place}/broken`] }), told: /is not below/ },
	{
		name: "a link out of the ceiling",
		declared: (place) => ({ fs_read: [`${place}/in/leads-out`] }),
		ceiling: (place) => ({ fsRead: [`${place}/in`] }),
		told: /it leads to ".*outside", which is not below ".*in"/,
	},
	{
		name: "a way out by ..",
		declared: (place) => ({ fs_read: [`${place}/in/../outside`] }),
		ceiling: (place) => ({ fsRead: [`${place}/in`] }),
		told: /is not below ".*in"/,
	},
	{
		name: "a .. below what does not exist",
		declared: (place) => ({ fs_read: [`${place}/missing/../outside`] }),
		told: /nobody can tell where it leads/,
	},
	{ name: "quotes and parentheses", declared: (place) => ({ fs_read: [`${place}/q" (x) \\`] }), readable: ['q" (x) \\/x'] },
	{
		name: "a newline",
		declared: (place) => ({ fs_read: [`${place}/a\nb`, `${place}/in`] }),
		told: /control character/,
		readable: ["in/note"],
	},
	{
		name: "300 paths",
		declared: (place) => ({ fs_read: Array.from({ length: 300 }, (_, index) => `${place}/many/${index}`) }),
		readable: ["many/0/x", "many/299/x"],
		prepare: (place) => {
			for (let index = 0; index < 300; index++) put(join(place, "many", String(index), "x"), "one of many\n");
		},
	},
	{
		name: "more bytes than a profile holds",
		declared: (place) => ({ fs_read: [`${place}/${"long/".repeat(250)}`] }),
		told: /longer than 1000 bytes/,
	},
	{
		name: "the root to write, below a ceiling of the root",
		declared: () => ({ fs_write: ["/"] }),
		ceiling: () => ({ fsWrite: ["/"] }),
		refusal: /^invalid_grant: .*"\/".*grant the directory/,
	},
	{
		name: "home to write, below a ceiling of home",
		declared: () => ({ fs_write: ["~"] }),
		ceiling: () => ({ fsWrite: ["~"] }),
		refusal: /^invalid_grant: .*grant the directory/,
	},
	{
		name: "what contains home, to write",
		declared: () => ({ fs_write: [join(homedir(), "..")] }),
		ceiling: () => ({ fsWrite: ["/"] }),
		refusal: /^invalid_grant: /,
	},
	{
		name: "a ceiling of the root and nothing declared",
		declared: () => ({}),
		ceiling: () => ({ fsRead: ["/", "~"], fsWrite: ["/", "~"] }),
	},
	{ name: "no path but a number", declared: () => ({ fs_read: 42, fs_write: true }), told: /fs_read: 42 is no path/ },
	{ name: "no list but a map", declared: (place) => ({ fs_read: { [place]: place } }), told: /fs_read: .* is no path or list of paths/ },
	{ name: "no paths in the list", declared: (place) => ({ fs_read: [null, 1, [place], "", place.length] }), told: /fs_read/ },
	{
		name: "a network that is no yes",
		declared: () => ({ network: "maybe", timeout: "soon", trust: "root", limits: "many" }),
		told: /network: .*timeout: .*trust: .*limits: /s,
	},
];

interface Outcome {
	readonly result: ScriptResult;
	readonly canRead: (path: string) => boolean;
	readonly canWrite: (path: string) => boolean;
}

interface Backend {
	readonly name: "bubblewrap" | "seatbelt";
	/** Asks a run about paths. */
	readonly ask: (capabilities: Capabilities, place: string, paths: readonly string[]) => Promise<Outcome>;
}

/** For each path whether it could be read and whether it could be written, as the script itself finds out. Writing adds nothing to a file. */
const ASK =
	'for path in "$@"; do cat "$path" >/dev/null 2>&1 && echo "read $path"; : 2>/dev/null >>"$path" && echo "write $path"; done; true';

const BUBBLEWRAP: Backend = {
	name: "bubblewrap",
	async ask(capabilities, place, paths) {
		const result = await runIn(Executor, capabilities, place, paths);
		const lines = new Set(result.output.split("\n"));
		return { result, canRead: (path) => lines.has(`read ${path}`), canWrite: (path) => lines.has(`write ${path}`) };
	},
};

/** The program in the place of sandbox-exec confines nothing, so nothing is asked of the run: the profile it was given answers. */
const SEATBELT: Backend = {
	name: "seatbelt",
	async ask(capabilities, place) {
		const { host, notes } = standIn(join(place, "stand-in"));
		const result = await runIn(createExecutor(host), capabilities, place, []);
		const can = (operation: string, path: string): boolean => {
			if (result.refusal !== undefined) return false;
			const decide = evaluateProfile(readFileSync(join(notes, "profile.sb"), "utf8"));
			return decide(operation, { path: macPath(path), vnodeType: "REGULAR-FILE" }).allowed;
		};
		return { result, canRead: (path) => can("file-read-data", path), canWrite: (path) => can("file-write-data", path) };
	},
};

function runIn(executor: ScriptExecutor, capabilities: Capabilities, place: string, paths: readonly string[]): Promise<ScriptResult> {
	const skillDir = join(place, "skill");
	return executor.run(["bash", join(skillDir, "scripts", "ask.sh"), ...paths], { capabilities, skillDir, cwd: place });
}

function prepare(): string {
	const place = realpathSync(workshop());
	put(join(place, "skill", "scripts", "ask.sh"), `${ASK}\n`, 0o755);
	put(join(place, "in", "note"), "granted\n");
	put(join(place, "outside", "file"), "untouched\n");
	put(join(place, 'q" (x) \\', "x"), "odd\n");
	mkdirSync(join(place, "a\nb"));
	symlinkSync("/nowhere/at/all", join(place, "broken"));
	symlinkSync(join(place, "outside"), join(place, "in", "leads-out"));
	onTestFinished(() => void reloadConfig());
	return place;
}

describe.for([BUBBLEWRAP, SEATBELT])("bad input under $name", (backend) => {
	const skipped = backend.name === "bubblewrap" ? noBubblewrap : undefined;

	it.skipIf(skipped !== undefined)(`control: what is granted can be read and written (${skipped ?? "runs here"})`, async () => {
		const place = prepare();
		configure({
			sandbox: { enabled: true, ...(backend.name === "bubblewrap" && { backend: "bubblewrap" }), fsRead: [place], fsWrite: [place] },
		});
		const { canRead, canWrite } = await backend.ask(Capabilities.fromFrontMatter({ fs_write: [`${place}/outside`] }), place, [
			`${place}/outside/file`,
		]);
		expect([canRead(`${place}/outside/file`), canWrite(`${place}/outside/file`)]).toEqual([true, true]);
	});

	for (const input of BAD_INPUTS) {
		it.skipIf(skipped !== undefined)(`${input.name} (${skipped ?? "runs here"})`, async () => {
			const place = prepare();
			input.prepare?.(place);
			const ceiling = input.ceiling?.(place) ?? { fsRead: [place], fsWrite: [place] };
			configure({ sandbox: { enabled: true, ...(backend.name === "bubblewrap" && { backend: "bubblewrap" }), ...ceiling } });
			const capabilities = Capabilities.fromFrontMatter(input.declared(place));
			const secret = join(place, "outside", "file");
			const expectedReadable = (input.readable ?? []).map((name) => join(place, name));
			const expectedWritable = (input.writable ?? []).map((name) => join(place, name));
			const { result, canRead, canWrite } = await backend.ask(capabilities, place, [secret, ...expectedReadable]);

			const grant = capabilities.intersect(Capabilities.ceiling());
			const told = [...capabilities.diagnostics, ...grant.refused.map(({ path, reason }) => `${path}: ${reason}`)].join("\n");
			if (input.told === undefined) expect(told).toBe("");
			else expect(told).toMatch(input.told);
			expect(result.refusal === undefined ? "" : `${result.refusal.code}: ${result.refusal.message}`).toMatch(refusalOf(input, backend));
			expect([canRead(secret), canWrite(secret)]).toEqual([false, false]);
			expect(expectedReadable.filter((path) => !canRead(path))).toEqual([]);
			expect(expectedReadable.filter(canWrite)).toEqual(expectedWritable);
			expect(readFileSync(secret, "utf8")).toBe("untouched\n");
			expect(existsSync(join(place, "missing"))).toBe(false);
		});
	}
});

function refusalOf({ refusal }: BadInput, { name }: Backend): RegExp {
	if (refusal === undefined) return /^$/;
	if (refusal instanceof RegExp) return refusal;
	return name === "bubblewrap" ? refusal.bubblewrap : /^$/;
}
