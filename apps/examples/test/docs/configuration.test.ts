import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { describePage } from "./page-code.js";

describePage("configuration.md", {
	"In code": { prints: /^32768\n\[ '\.\/data', '\/usr\/share\/dict' \]\ntrue\n$/ },
	// vitest makes it the environment test
	"Where a value came from": { prints: /^test \[ 'user skipped', 'user skipped', 'project absent' \]\n\[\]\n$/ },
});

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "../../docs/configuration.md"), "utf8");

/** The page's files, by the heading they stand below. */
const yaml = new Map(
	[...page.matchAll(/^## (.*?)\n(?:(?!^## )[\s\S])*?^```yaml\n([\s\S]*?)^```/gm)].map(([, title = "", text = ""]) => [title, text]),
);

mkdirSync(join(root, ".reports"), { recursive: true });
// inside the package, so that the packages are found by their names
const directory = mkdtempSync(join(root, ".reports/docs-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(path: string, text: string): string {
	const whole = join(directory, path);
	mkdirSync(dirname(whole), { recursive: true });
	writeFileSync(whole, text);
	return whole;
}

const asks = file(
	"asks.mjs",
	'import { config, configSources } from "@robot-lab/core";\nconsole.log(JSON.stringify({ ...configSources(), config: config() }));\n',
);

/** What is configured in a home directory, for a program that is started there with these variables and no others. */
function configured(home: string, variables: Readonly<Record<string, string>> = {}) {
	const env = { PATH: process.env.PATH ?? "", HOME: home, ...variables };
	const { stdout, stderr, status } = spawnSync(process.execPath, [asks], { cwd: home, env, encoding: "utf8", timeout: 50_000 });
	expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
	return JSON.parse(stdout);
}

describe("the files in docs/configuration.md", () => {
	it("are read without a warning and set what they say", () => {
		expect([...yaml.keys()]).toEqual(["Your own file", "Environments", "Servers and tools of every robot"]);
		const home = join(directory, "reader");
		file("reader/.config/robot_lab/config.yml", yaml.get("Your own file") ?? "");
		expect(configured(home).config).toMatchObject({
			model: "anthropic/claude-sonnet-4-5",
			sandbox: { enabled: true, fsRead: [".", "/usr/share/dict"], fsWrite: ["./out"], limits: { memoryMb: 2048, processes: 64 } },
		});
		file("reader/config/robot_lab.yml", yaml.get("Environments") ?? "");
		const configs = ["development", "test", "production"].map((ROBOT_LAB_ENV) => configured(home, { ROBOT_LAB_ENV }).config);
		expect(configs.map(({ model }) => model)).toEqual(["openai/gpt-5", "offline", "openai/gpt-5"]);
		expect(configs.map(({ sandbox }) => sandbox?.require)).toEqual([false, undefined, true]);
	});

	it("name servers and tools that are read as they stand there", () => {
		const home = join(directory, "servers");
		file("servers/.config/robot_lab/config.yml", yaml.get("Servers and tools of every robot") ?? "");
		const { config, settings } = configured(home);
		expect(config).toMatchObject({
			mcpServers: {
				files: { command: "npx", cwd: "/srv/notes", envPass: ["FILES_TOKEN"], timeoutMs: 5000 },
				tickets: { url: "https://tickets.example.com/mcp", headers: { authorization: "Bearer …" } },
			},
			mcp: ["files"],
			tools: ["read_text_file", "search"],
		});
		expect(JSON.stringify(settings)).not.toMatch(/Bearer|server-filesystem/);
	});

	it("name every setting, with its default", () => {
		const rows = page.slice(page.indexOf("\n## Settings")).matchAll(/^\| `(.*?)` +\| (?:`(.*?)`)?/gm);
		const said = new Map([...rows].map(([, name, value]) => [name, value]));
		const home = join(directory, "nobody");
		mkdirSync(home);
		const { settings } = configured(home) as { settings: readonly { readonly name: string; readonly value?: unknown }[] };
		expect([...said.keys()].sort()).toEqual(settings.map(({ name }) => name).sort());
		for (const { name, value } of settings) {
			const shown = isDeepStrictEqual(value, {})
				? "{}"
				: Array.isArray(value)
					? `[${value.join(", ").replace(home, "~")}]`
					: value?.toString();
			expect({ name, value: said.get(name) }).toEqual({ name, value: shown });
		}
	});
});
