import { absolutePath } from "../paths/expand-path.js";
import { SKILLS_ROOT } from "../paths/skills-root.js";
import type { Selection } from "../value/selection.js";
import type { Config, ResourceLimits, SandboxConfig, ScriptsConfig, SkillsConfig } from "./config.js";
import type { Written } from "./written.js";

const SANDBOX_DEFAULTS: SandboxConfig = {
	enabled: false,
	fsRead: ["."],
	fsWrite: [],
	network: false,
	timeout: 60,
	backend: "auto",
	require: false,
	protect: true,
	trustCore: [SKILLS_ROOT],
	env: "keep",
	envPass: [],
	limits: {},
};

const SCRIPTS_DEFAULTS: ScriptsConfig = { cwd: "work", requireExecutable: true, maxModelBytes: 32 * 1024, nested: false, pep723: "off" };

const SKILLS_DEFAULTS: SkillsConfig = {
	roots: [SKILLS_ROOT],
	discover: false,
	validation: "lenient",
	activation: "both",
	topK: 3,
	candidates: 6,
	maxBytes: 64 * 1024,
	grants: Object.freeze({}),
};

const DEFAULT_TEMPLATE_PATH = "prompts";

/** What holds where nothing is written, section by section. */
export const DEFAULTS: Written = {
	sandbox: SANDBOX_DEFAULTS,
	scripts: SCRIPTS_DEFAULTS,
	skills: SKILLS_DEFAULTS,
	templatePath: DEFAULT_TEMPLATE_PATH,
};

/** What was written with every default filled in, deeply frozen. `written` has passed its checks. */
export function resolveConfig(written: Written): Config {
	const { sandbox, scripts, skills, model, templatePath = DEFAULT_TEMPLATE_PATH, mcpServers, mcp, tools } = written as Partial<Config>;
	return Object.freeze({
		...(sandbox === undefined ? {} : { sandbox: resolveSandbox(sandbox) }),
		scripts: Object.freeze({ ...SCRIPTS_DEFAULTS, ...scripts }),
		skills: resolveSkills(skills),
		...(model === undefined ? {} : { model }),
		templatePath,
		...(mcpServers === undefined ? {} : { mcpServers }),
		...(mcp === undefined ? {} : { mcp: frozenSelection(mcp) }),
		...(tools === undefined ? {} : { tools: frozenSelection(tools) }),
	});
}

const frozenSelection = (selection: Selection): Selection => (typeof selection === "string" ? selection : Object.freeze([...selection]));

function resolveSkills(written: Partial<SkillsConfig> | undefined): SkillsConfig {
	const merged = { ...SKILLS_DEFAULTS, ...written };
	return Object.freeze({ ...merged, roots: Object.freeze([...merged.roots]), grants: placed(merged.grants) });
}

/** Relative directories are meant where the host is when it says so. */
function placed(grants: SkillsConfig["grants"]): SkillsConfig["grants"] {
	const entries = Object.entries(grants);
	return Object.freeze(
		Object.fromEntries(entries.map(([directory, grant]) => [/^~/.test(directory) ? directory : fixed(directory), grant])),
	);
}

function resolveSandbox(written: Partial<SandboxConfig>): SandboxConfig {
	const merged = { ...SANDBOX_DEFAULTS, ...written };
	return Object.freeze({
		...merged,
		fsRead: Object.freeze([...merged.fsRead]),
		fsWrite: Object.freeze([...merged.fsWrite]),
		trustCore: Object.freeze(merged.trustCore.map(fixed)),
		envPass: Object.freeze([...merged.envPass]),
		limits: Object.freeze<ResourceLimits>({ ...merged.limits }),
	});
}

/** Meant is where the host is when it says so: a directory it goes to later must not come to be trusted by its name. */
function fixed(path: string): string {
	// Another user's home directory, which nobody looks up and nothing is trusted in.
	if (/^~[^/]/.test(path)) return path;
	try {
		return absolutePath(path);
	} catch {
		// Without a home directory there is no "~", and nothing lies below it.
		return path;
	}
}

/** The directories whose bundles may claim `trust: core`: those of the `sandbox` section, or the default ones when there is no such section. */
export function trustedDirectories({ sandbox = SANDBOX_DEFAULTS }: Config): readonly string[] {
	return sandbox.trustCore;
}
