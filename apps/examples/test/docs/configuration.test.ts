import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "../../docs/configuration.md"), "utf8");

const blocksOf = (language: string): ReadonlyMap<string, string> =>
	new Map(
		[...page.matchAll(new RegExp(`^## (.*?)\\n(?:(?!^## )[\\s\\S])*?^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
			([, title = "", code = ""]) => [title, code],
		),
	);
const code = blocksOf("ts");
const yaml = blocksOf("yaml");

mkdirSync(join(root, ".reports"), { recursive: true });
// inside the package, so that the packages are found by their names
const directory = mkdtempSync(join(root, ".reports/docs-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const file = (path: string, text: string): string => {
	const whole = join(directory, path);
	mkdirSync(join(whole, ".."), { recursive: true });
	writeFileSync(whole, text);
	return whole;
};
const blocks = new Map([...code].map(([title, text], index) => [title, file(`block-${index}.ts`, `${text}\nexport {};\n`)]));
const sources = file(
	"sources.mjs",
	'import { config, configSources } from "@robot-lab/core";\nconsole.log(JSON.stringify({ ...configSources(), config: config() }));\n',
);

/** Runs a program in a directory of its own with the home directory given, and nothing else in the environment. */
function run(program: string, home = "/nonexistent", variables: Readonly<Record<string, string>> = {}) {
	const { stdout, stderr, status } = spawnSync(process.execPath, [program], {
		...{ cwd: home === "/nonexistent" ? directory : home, encoding: "utf8", timeout: 50_000 },
		env: { PATH: process.env.PATH ?? "", HOME: home, ...variables },
	});
	expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
	return stdout;
}

describe("the code in docs/configuration.md", () => {
	it("compiles as strictly as the project", () => {
		const { compilerOptions } = JSON.parse(readFileSync(join(root, "../../tsconfig.base.json"), "utf8")) as { compilerOptions: object };
		const off = { composite: false, incremental: false, isolatedDeclarations: false, declaration: false, declarationMap: false };
		const options = { ...compilerOptions, ...off, noEmit: true, types: ["node"] };
		const config = file("tsconfig.json", JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
		const { stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", config], { encoding: "utf8" });
		expect(stdout).toBe("");
	});

	it("does what it says", () => {
		expect([...blocks.keys()]).toEqual(["In code", "Where a value came from"]);
		expect(run(blocks.get("In code") ?? "")).toBe("32768\n[ './data', '/usr/share/dict' ]\ntrue\n");
		const home = join(directory, "somebody");
		file("somebody/.config/robot_lab/config.yml", "\nmodel: offline\n");
		expect(run(blocks.get("Where a value came from") ?? "", home, { ROBOT_LAB_SANDBOX__TIMEOUT: "30" })).toBe(
			"development [ 'user read', 'user absent', 'project absent' ]\nsandbox.timeout 30 ROBOT_LAB_SANDBOX__TIMEOUT\nmodel offline line 2\n[]\n",
		);
	});
});

describe("the files in docs/configuration.md", () => {
	it("are read without a warning and set what they say", () => {
		expect([...yaml.keys()]).toEqual(["Your own file", "Environments"]);
		const home = join(directory, "reader");
		file("reader/.config/robot_lab/config.yml", yaml.get("Your own file") ?? "");
		const alone = JSON.parse(run(sources, home));
		expect(alone.ignored).toEqual([]);
		expect(alone.config).toMatchObject({
			model: "anthropic/claude-sonnet-4-5",
			sandbox: { enabled: true, fsRead: [".", "/usr/share/dict"], fsWrite: ["./out"], limits: { memoryMb: 2048, processes: 64 } },
		});
		file("reader/config/robot_lab.yml", yaml.get("Environments") ?? "");
		const models = ["development", "test", "production"].map((ROBOT_LAB_ENV) => JSON.parse(run(sources, home, { ROBOT_LAB_ENV })).config);
		expect(models.map(({ model }) => model)).toEqual(["openai/gpt-5", "offline", "openai/gpt-5"]);
		expect(models.map(({ sandbox }) => sandbox?.require)).toEqual([false, undefined, true]);
	});

	it("name every setting, with its default", () => {
		const rows = page.slice(page.indexOf("\n## Settings")).matchAll(/^\| `(.*?)` +\| (?:`(.*?)`)?/gm);
		const said = new Map([...rows].map(([, name, value]) => [name, value]));
		const home = join(directory, "nobody");
		mkdirSync(home);
		const { settings } = JSON.parse(run(sources, home)) as { settings: readonly { readonly name: string; readonly value?: unknown }[] };
		expect([...said.keys()].sort()).toEqual(settings.map(({ name }) => name).sort());
		for (const { name, value } of settings) {
			const shown = Array.isArray(value) ? `[${value.join(", ").replace(home, "~")}]` : value?.toString();
			expect({ name, value: said.get(name) }).toEqual({ name, value: shown });
		}
	});
});
