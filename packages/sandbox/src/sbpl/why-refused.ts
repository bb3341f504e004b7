/** What a profile can only mean once a Scheme interpreter has run it. */
const SCHEME: ReadonlySet<string> = new Set(
	"and apply begin case cond define define-once defined? do for-each if lambda let let* letrec macro map not or quote set! unless when".split(
		" ",
	),
);

/** Why a construct is refused that macOS may well understand, and what to write instead. */
export function whyRefused(head: string): string | undefined {
	if (head === "import") return "(import …) is not understood: put the rules of the file in its place, macOS reads them in that order too";
	if (head === "with-modifier" || head === "with-operations") return `(${head} …) is not understood: write what it adds into each rule`;
	if (SCHEME.has(head)) return `(${head} …) needs a Scheme interpreter: write out the rules it makes`;
	return undefined;
}
