/**
 * Why a run ended.
 *
 * - `stop`: the model had finished.
 * - `length`: the model reached its limit of output tokens; the answer is cut.
 * - `content_filter`: the provider withheld the rest.
 * - `tool_limit`: the model wanted more rounds of tool calls than the run allows; those calls were not made.
 * - `doom_loop`: the model made the same calls over and over and was warned of it; those calls were not made again.
 * - `budget`: the robot's budget was used up between two answers; what had been paid for is in the result.
 * - `aborted`: the caller's signal; `output` holds what had been said until then.
 * - `interrupted`: the provider's stream ended without saying that it was complete; the answer may be cut.
 * - `invalid_output`: the answer came to its end and is not of the `schema` that was asked for.
 * - `error`: the provider ended the answer with an error it did not describe.
 * - `other`: the provider gave a reason that has no word here.
 */
export type StopReason = (typeof STOP_REASONS)[number];

export const STOP_REASONS = [
	"stop",
	"length",
	"content_filter",
	"tool_limit",
	"doom_loop",
	"budget",
	"aborted",
	"interrupted",
	"invalid_output",
	"error",
	"other",
] as const;
