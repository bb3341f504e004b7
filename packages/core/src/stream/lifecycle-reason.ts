/** The twenty things that happen to a run, to a command it starts and to the sandbox that confines it. */
export const LIFECYCLE_REASONS = [
	"browser_ready",
	"sandbox_boot",
	"sandbox_ready",
	"sandbox_connected",
	"sandbox_pause",
	"sandbox_resume",
	"sandbox_killed",
	"sandbox_error",
	"run_start",
	"run_complete",
	"run_interrupted",
	"run_failed",
	"run_background_complete",
	"run_background_failed",
	"command_start",
	"command_complete",
	"command_failed",
	"command_interrupted",
	"command_background_complete",
	"command_background_failed",
] as const;

export type LifecycleReason = (typeof LIFECYCLE_REASONS)[number];
