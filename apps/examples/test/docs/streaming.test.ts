import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "../../docs/streaming.md"), "utf8");

/** The page's TypeScript, by the heading it stands below. */
const blocks = new Map(
	[...page.matchAll(/^## (.*?)\n(?:(?!^## )[\s\S])*?^```ts\n([\s\S]*?)^```/gm)].map(([, title = "", code = ""]) => [title, code]),
);

/** What a block must print, and what is asked of it besides, in code put behind it. */
const PROMISES: Readonly<Record<string, { readonly prints: RegExp; readonly behind?: string }>> = {
	Listen: {
		prints: /^1 run\.started\nrun_start running\n[\s\S]*text\.delta\nagent_message_chunk\n[\s\S]*run_complete idle\n\d+ stream\.ended\n$/,
	},
	"A small user interface": {
		prints: /offline/,
		behind: 'if (view.problems.length > 0 || !view.answer.includes("offline")) throw new Error(JSON.stringify(view));',
	},
	"Read a run as a stream": { prints: /offline[\s\S]*stop\n$/ },
	"Send it to a browser": {
		prints: /^200 text\/event-stream.* (\d+) of \1\n$/,
		behind: `
			import { once } from "node:events";
			if (!server.listening) await once(server, "listening");
			await stream.result;
			const response = await fetch(\`http://127.0.0.1:\${(server.address() as { port: number }).port}\`);
			const events = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1] ?? ""));
			let last = 0;
			for (const { firstSequenceNumber, sequenceNumber } of events) {
				if ((firstSequenceNumber ?? sequenceNumber) !== last + 1) throw new Error("a gap behind " + last);
				last = sequenceNumber;
			}
			console.log(response.status, response.headers.get("content-type"), \`\${last} of \${stream.log.lastSequenceNumber}\`);
			server.close();`,
	},
	"Keep it, and replay it": { prints: /^[1-9]\d* \{.*\}\n$/ },
	"From inside a tool": { prints: /^$/ },
	"The toolkit alone": { prints: /^true 1\n$/ },
};

mkdirSync(join(root, ".reports"), { recursive: true });
// inside the package, so that the packages are found by their names
const directory = mkdtempSync(join(root, ".reports/docs-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const files = [...blocks].map(([title, code], index) => {
	const file = join(directory, `block-${index}.ts`);
	writeFileSync(file, `${code}\n${PROMISES[title]?.behind ?? ""}\nexport {};\n`);
	return { title, file };
});

describe("the code in docs/streaming.md", () => {
	it("stands below these headings", () => {
		expect([...blocks.keys()]).toEqual(Object.keys(PROMISES));
		expect(page.match(/^```ts$/gm)?.length).toBe(blocks.size);
	});

	it("compiles as strictly as the project", () => {
		const { compilerOptions } = JSON.parse(readFileSync(join(root, "../../tsconfig.base.json"), "utf8")) as { compilerOptions: object };
		const config = join(directory, "tsconfig.json");
		const options = {
			...compilerOptions,
			noEmit: true,
			composite: false,
			incremental: false,
			isolatedDeclarations: false,
			declaration: false,
			declarationMap: false,
			types: ["node"],
		};
		writeFileSync(config, JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
		const { stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", config], { encoding: "utf8" });
		expect(stdout).toBe("");
	});

	it.each(files)("does what it says: $title", ({ title, file }) => {
		const { stdout, stderr, status } = spawnSync(process.execPath, [file], { cwd: directory, encoding: "utf8", timeout: 50_000 });
		expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
		expect(stdout).toMatch(PROMISES[title]?.prints ?? /never/);
	});
});
