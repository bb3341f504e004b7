/** English words that tell nothing about what a text is about. Requests are full of the last group. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
	(
		"a an the this that these those it its i me my mine we us our you your he him his she her they them their who whom whose which what " +
		"am is are was were be been being do does did doing done have has had having will would shall should can could may might must " +
		"and or but nor so if then else than as of at by for with about against between into through during before after above below to from " +
		"up down in out on off over under again further once here there when where why how all any both each few more most other some such " +
		"no not only own same too very just also because while until i'm i'd i've i'll it's that's what's there's let's don't can't " +
		"please kindly want need like would could tell give show help let lets thanks thank hello hi hey get got go make way thing things " +
		"something anything someone anyone one ones using use used via per etc okay ok now today new"
	).split(" "),
);
