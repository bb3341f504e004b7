import type { Config, ResourceLimits } from "../config/config.js";
import { config as currentConfig } from "../config/configure.js";
import { describeValue, isRecord } from "../text/describe-value.js";
import { CAPABILITY_FIELDS, declaredIn, METADATA_PREFIX } from "./declared-in-metadata.js";
import { frontMatterValue, spellingProblems, spellingsOf } from "./front-matter-value.js";
import { intersectLimits, intersectPaths, type RefusedCapability } from "./intersect.js";
import {
	DEFAULT_TIMEOUT,
	type Normalised,
	normaliseLimits,
	normaliseNetwork,
	normalisePaths,
	normaliseTimeout,
	normaliseTrust,
	TRUST_LEVELS,
} from "./normalise.js";

/** What to make {@link Capabilities} from. Whatever a value is at run time, it is normalised. */
export interface CapabilitiesInit {
	/** Default none. One path may stand without a list. */
	readonly fsRead?: readonly string[] | string | undefined;
	/** Default none. One path may stand without a list. */
	readonly fsWrite?: readonly string[] | string | undefined;
	/** Granted by `true`, `1` and the words true, yes, on, 1 in any case, by nothing else. Default false. */
	readonly network?: boolean | string | number | undefined;
	/** Seconds. Default 60. */
	readonly timeout?: number | string | undefined;
	/** Default `external`. */
	readonly trust?: "core" | "external" | undefined;
	/** Default none. */
	readonly limits?: ResourceLimits | undefined;
}

/** What only `intersect` hands to the constructor; a symbol, because front matter cannot spell one. */
const CARRIED = Symbol("carried over by an intersection");

interface Carried {
	readonly refused: readonly RefusedCapability[];
	readonly diagnostics: readonly string[];
}

/** What a skill's scripts may read, write and reach, and for how long. Immutable. */
export class Capabilities {
	/** Seconds a script may run when nothing usable was said about it. */
	static readonly DEFAULT_TIMEOUT: 60 = DEFAULT_TIMEOUT;
	static readonly TRUST_LEVELS: readonly ["core", "external"] = TRUST_LEVELS;

	/** What most front matter declares, once for all of it. */
	static #none: Capabilities | undefined;

	/** What may be read. As declared; in a grant absolute and real. */
	readonly fsRead: readonly string[];
	/** What may be written. In itself it says nothing about reading; an executor may let what can be written be read too, and sandbox does. */
	readonly fsWrite: readonly string[];
	/** Whether the network may be used, all of it or nothing. Default false. */
	readonly network: boolean;
	/** Whole seconds, at least one. */
	readonly timeout: number;
	/** `core` is for bundles somebody audited: their scripts run unconfined. A loaded skill has it only where the host's `sandbox.trustCore` lets it. */
	readonly trust: "core" | "external";
	/** The most a script may use. Default none: what is absent is not limited. */
	readonly limits: ResourceLimits;
	/** What was malformed, and which default it became. Fields are named as SKILL.md spells them. */
	readonly diagnostics: readonly string[];
	/** On a grant, what the ceiling took away, in the order it was asked for. */
	readonly refused: readonly RefusedCapability[];

	/** Never throws: a value that is malformed becomes its default, and `diagnostics` says so. */
	constructor(init: CapabilitiesInit = {}) {
		const carried = carriedBy(init);
		const diagnostics = [...carried.diagnostics, ...problemsOf(init)];
		const take = <T>(key: keyof CapabilitiesInit, normalise: (value: unknown) => Normalised<T>): T => {
			const { value, problems } = takeField(init, key, normalise);
			diagnostics.push(...problems);
			return value;
		};
		this.fsRead = Object.freeze(take("fsRead", (value) => normalisePaths("fs_read", value)));
		this.fsWrite = Object.freeze(take("fsWrite", (value) => normalisePaths("fs_write", value)));
		this.network = take("network", normaliseNetwork);
		this.timeout = take("timeout", normaliseTimeout);
		this.trust = take("trust", normaliseTrust);
		this.limits = Object.freeze(take("limits", normaliseLimits));
		this.diagnostics = Object.freeze(diagnostics);
		this.refused = Object.freeze([...carried.refused]);
		Object.freeze(this);
	}

	/**
	 * What the front matter of a SKILL.md declares: `fs_read`, `fs_write`, `network`, `timeout`, `trust`, `limits`, each of them also as a text in
	 * its `metadata`, which is where the Agent Skills standard lets it be: `robot-lab.fs_read` and `robot-lab.fs_write` with one path a line,
	 * `robot-lab.network`, `robot-lab.timeout`, `robot-lab.trust`, `robot-lab.limits.memory_mb` and so on. The front matter's own fields count
	 * first. Never throws.
	 *
	 * A `trust: core` is kept as it is declared. Whether it counts is for whoever knows where the bundle lies, as AgentSkill.load does: do
	 * not run scripts with this of a bundle that you have not audited.
	 */
	static fromFrontMatter(frontMatter: Readonly<Record<string, unknown>> | null | undefined): Capabilities {
		try {
			if (isSilent(frontMatter)) {
				Capabilities.#none ??= new Capabilities();
				return Capabilities.#none;
			}
			if (!isRecord(frontMatter)) return new Capabilities(frontMatter as unknown as CapabilitiesInit);
			const { init, problems } = declaredIn(frontMatter);
			if (problems.length === 0) return new Capabilities(init);
			const declared: CapabilitiesInit & { readonly [CARRIED]: Carried } = { ...init, [CARRIED]: { refused: [], diagnostics: problems } };
			return new Capabilities(declared);
		} catch {
			return new Capabilities(frontMatter as unknown as CapabilitiesInit);
		}
	}

	/**
	 * The value of one front matter key, in snake_case, in the spelling given or in camelCase, the first that is there.
	 * `fallback` when all are absent or null; `false` and `0` are values.
	 */
	static frontMatterValue(frontMatter: Readonly<Record<string, unknown>> | null | undefined, key: string, fallback?: unknown): unknown {
		return frontMatterValue(frontMatter, key, fallback);
	}

	/** The most any skill is granted: the `sandbox` section of `config`, or reading the working directory when there is no such section. */
	static ceiling(config: Config = currentConfig()): Capabilities {
		return new Capabilities({ ...(config.sandbox ?? { fsRead: ["."] }), trust: "external" });
	}

	/** Whether the scripts run unconfined, because somebody audited them. */
	get isCore(): boolean {
		return this.trust === "core";
	}

	/**
	 * The grant: what both this and `ceiling` allow, with this one's trust. Looks at the file system.
	 *
	 * A path survives when, `~` and relative paths expanded (against the host process's directory) and symbolic links
	 * resolved on both sides, it is a root of the ceiling or lies beneath one. The smaller timeout and the smaller of each
	 * limit count. Never throws: what cannot be granted is in `refused`.
	 */
	intersect(ceiling: Capabilities): Capabilities {
		const most = ceiling instanceof Capabilities ? ceiling : new Capabilities(ceiling);
		const read = intersectPaths("fsRead", this.fsRead, most.fsRead);
		const write = intersectPaths("fsWrite", this.fsWrite, most.fsWrite);
		const grant: CapabilitiesInit & { readonly [CARRIED]: Carried } = {
			fsRead: read.granted,
			fsWrite: write.granted,
			network: this.network && most.network,
			timeout: Math.min(this.timeout, most.timeout),
			trust: this.trust,
			limits: intersectLimits(this.limits, most.limits),
			[CARRIED]: {
				diagnostics: this.diagnostics,
				refused: [...read.refused, ...write.refused, ...refusedNetwork(this, most)].map((refusal) => Object.freeze(refusal)),
			},
		};
		return new Capabilities(grant);
	}
}

/** Whether it is front matter that says nothing of capabilities, as most does. */
function isSilent(frontMatter: unknown): boolean {
	if (frontMatter === undefined || frontMatter === null) return true;
	if (!isRecord(frontMatter)) return false;
	const { metadata } = frontMatter;
	return (
		!Object.keys(frontMatter).some((key) => SPELLINGS.has(key)) &&
		!(isRecord(metadata) && Object.keys(metadata).some((key) => key.startsWith(METADATA_PREFIX)))
	);
}

const SPELLINGS: ReadonlySet<string> = new Set(CAPABILITY_FIELDS.flatMap(spellingsOf));

function refusedNetwork(declared: Capabilities, ceiling: Capabilities): readonly RefusedCapability[] {
	if (!declared.network || ceiling.network) return [];
	return [{ field: "network", path: "", reason: "the ceiling has no network" }];
}

function carriedBy(init: unknown): Carried {
	try {
		return (init as { readonly [CARRIED]?: Carried } | null)?.[CARRIED] ?? { refused: [], diagnostics: [] };
	} catch {
		return { refused: [], diagnostics: [] };
	}
}

function problemsOf(init: unknown): readonly string[] {
	return typeof init === "object" && init !== null ? [] : [`${describeValue(init)} is no set of capabilities; the defaults are used`];
}

/** One field, its default when even looking at it throws. */
function takeField<T>(init: unknown, key: string, normalise: (value: unknown) => Normalised<T>): Normalised<T> {
	try {
		const { value, problems } = normalise(frontMatterValue(init, key, undefined));
		return { value, problems: [...spellingProblems(init, key), ...problems] };
	} catch {
		return { ...normalise(undefined), problems: [`${key}: cannot be read; the default is used`] };
	}
}
