import { StreamContext, type StreamEvent, type StreamEventData, type StreamEventOf } from "@robot-lab/core";

type Name = keyof StreamEventData;
type Data<N extends Name> = StreamEventData[N];

/** The events of one run, made as a run makes them. */
export interface RunEvents {
	publish<N extends Name>(event: N, data: Data<N>): StreamEvent;
	/** A call that the model asks for, up to where it begins to run. */
	called(toolCallId: string, input?: unknown, tool?: { readonly toolName?: string; readonly skill?: string }): StreamEvent[];
	/** How a call ended; with an error where it failed. */
	ended(toolCallId: string, end: Partial<StreamEventOf<"part.failed">["data"]>): StreamEvent;
}

const TOOL = { toolName: "a__run", skill: "a" };

export function runEvents(): RunEvents {
	const context = new StreamContext({ runId: "run", messageId: "message", scope: "robot", publish: () => {} });
	const publish: RunEvents["publish"] = (event, data) => context.publishEvent({ event, data }) as unknown as StreamEvent;
	return {
		publish,
		called: (toolCallId, input = {}, tool = {}) => {
			const asked = { partId: `asked-${toolCallId}`, type: "tool-call", toolCallId, ...TOOL, ...tool } as const;
			const run = { ...asked, partId: `run-${toolCallId}`, type: "tool-output" } as const;
			return [
				publish("part.created", asked),
				publish("part.completed", { ...asked, finalContent: JSON.stringify(input), input }),
				publish("part.created", run),
			];
		},
		ended: (toolCallId, end) => {
			const part = { partId: `run-${toolCallId}`, type: "tool-output", toolCallId, ...TOOL, finalContent: "", durationMs: 1234 } as const;
			const { error, ...rest } = end;
			return error === undefined ? publish("part.completed", { ...part, ...rest }) : publish("part.failed", { ...part, ...rest, error });
		},
	};
}

/** A script that ended well, unconfined. */
export const RAN = {
	confinement: "none",
	exitCode: 0,
	signal: null,
	timedOut: false,
	aborted: false,
	truncatedBytes: 0,
	durationMs: 1200,
} as const;

export const FAILED = { code: "tool_failed", message: "it failed" };
