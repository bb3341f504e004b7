/** What becomes of a bundle that the host trusts, and why. */
export const CORE_WORDS =
	"runs unconfined and unasked, because its SKILL.md says trust: core and it lies where you trust bundles (sandbox.trust_core, by default ~/.prompts/skills)";
