import { join } from "node:path";
import { expect, it } from "vitest";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import { temporaryBundle } from "../script/bundle.js";

const PLAIN = "it takes plain args.";

async function skillWith(metadata: string, scripts: Readonly<Record<string, string>>): Promise<AgentSkill> {
	const files = Object.fromEntries(Object.entries(scripts).map(([name, text]) => [`scripts/${name}`, text]));
	const bundle = temporaryBundle({ "SKILL.md": `---\nname: x\ndescription: Does.\nmetadata:\n${metadata}---\n`, ...files });
	return AgentSkill.load(join(bundle, "SKILL.md"));
}

const about = async (skill: AgentSkill): Promise<readonly (readonly [string, number | undefined])[]> =>
	(await skill.diagnostics())
		.filter(({ code }) => code === "script_parameters_malformed")
		.map(({ message, path, line }) => [`${path.slice(skill.path.length + 1)}: ${message}`, line]);

it("metadata declares a script's parameters in the place of its comments, and the tool has them", async () => {
	const skill = await skillWith(
		"  author: me\n  robot-lab.parameters.a.sh: |\n    @option --limit! <INT 1..9> How\n      many\n\n    Text.\n    @flag --all\n",
		{ "a.sh": '# @arg other\nprintf "%s\\n" "$@"\n', "b.sh": "# @arg other <INT>\n" },
	);
	const [a, b] = await skill.scriptTools();
	expect(a?.parameters).toEqual({
		type: "object",
		properties: { limit: { type: "integer", minimum: 1, maximum: 9, description: "How many" }, all: { type: "boolean" } },
		required: ["limit"],
		additionalProperties: false,
	});
	expect(b?.parameters.properties).toEqual({ other: { type: "integer" } });
	expect(await a?.execute({ limit: "3", all: true }, {})).toBe("--limit=3\n--all\n");
	expect(await about(skill)).toEqual([]);
});

it("metadata that is malformed, no text or of no script is a diagnostic, and a script takes plain args, whatever its comments say", async () => {
	const skill = await skillWith(
		"  robot-lab.parameters.a.sh: |\n    @flag --ok\n    @option limit\n  robot-lab.parameters.b.sh: [x]\n  robot-lab.parameters.c.sh: nothing\n  robot-lab.parameters.ab.sh: '@flag --x'\n",
		{ "a.sh": "# @arg one\n", "b.sh": "# @arg one\n", "c.sh": "# @arg one\n", "d.sh": "# x\n# @arg $\n", "e.json": "{}" },
	);
	for (const tool of await skill.scriptTools()) expect(Object.keys(tool.parameters.properties ?? {})).toEqual(["args"]);
	expect(await about(skill)).toEqual([
		[expect.stringMatching(/^SKILL\.md: metadata "robot-lab\.parameters\.a\.sh", line 2: @option "limit": .*plain args\.$/), undefined],
		[
			expect.stringContaining(
				`line 1: It must be a text of tags, one a line, not a list. The script's parameters cannot be read, and ${PLAIN}`,
			),
			undefined,
		],
		[expect.stringContaining("It has no @option, @flag, @arg or @input."), undefined],
		[expect.stringContaining('there is no such script in scripts/. Did you mean "a.sh"?'), undefined],
		[expect.stringMatching(/^scripts\/d\.sh: @arg "\$": .*plain args\.$/), 2],
	]);
});

it("metadata that is named after what every object has declares nothing of it", async () => {
	const skill = await skillWith(
		"  robot-lab.parameters.__proto__: '@flag --x'\n  robot-lab.parameters.constructor: '@flag --x'\n  __proto__: {a: b}\n",
		{
			"a.sh": "echo\n",
		},
	);
	expect((await skill.scriptTools()).map(({ parameters }) => Object.keys(parameters.properties ?? {}))).toEqual([["args"]]);
	expect(await about(skill)).toHaveLength(2);
});
