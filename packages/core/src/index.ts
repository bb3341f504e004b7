// Errors

export { AwaitTimeoutError } from "./errors/await-timeout-error.js";
export { type BudgetDimension, BudgetExceededError } from "./errors/budget-exceeded-error.js";
export { ConfigurationError } from "./errors/configuration-error.js";
export { DelegationTimeoutError } from "./errors/delegation-timeout-error.js";
export { DependencyError } from "./errors/dependency-error.js";
export { InferenceError, type InferenceErrorOptions } from "./errors/inference-error.js";
export { McpError, type McpErrorCode } from "./errors/mcp-error.js";
export { RobotLabError, type RobotLabErrorOptions } from "./errors/robot-lab-error.js";
export { type SandboxRefusalCode, SandboxUnavailableError } from "./errors/sandbox-unavailable-error.js";
export { ToolNotFoundError } from "./errors/tool-not-found-error.js";

// Configuration

export type {
	Config,
	ConfigChange,
	ConfigDraft,
	ResourceLimits,
	SandboxBackend,
	SandboxConfig,
	ScriptsConfig,
	SkillGrant,
	SkillsConfig,
} from "./config/config.js";
export type { ConfigOrigin } from "./config/config-origin.js";
export { type ConfigSetting, type ConfigSources, configSources } from "./config/config-sources.js";
export { config, configure, reloadConfig } from "./config/configure.js";
export { isInjectingVariable } from "./config/injecting-variables.js";
export type { ConfigFile } from "./config/load-config.js";
export type { ProjectVerdict } from "./config/project-trust.js";
export { trustedDirectories } from "./config/resolve.js";
export { isProjectTrusted, revokeTrust, type TrustedProject, trustedProjects, trustProject } from "./config/trusted-projects.js";

// Robots

export type { AttachedData, Attachment } from "./robot/attachments.js";
export type { AutoCompact, CompactMessages } from "./robot/auto-compact.js";
export type { DelegateOptions, DelegationWaitOptions } from "./robot/delegate-options.js";
export type { Delegate, DelegationFuture } from "./robot/delegation-future.js";
export { Robot } from "./robot/robot.js";
export type { RobotChannel, RobotChannels } from "./robot/robot-listeners.js";
export type { RobotMcpServers } from "./robot/robot-mcp.js";
export type { RobotOptions, SkillMatching } from "./robot/robot-options.js";
export type { RobotRecord } from "./robot/robot-record.js";
export type { RobotSettings } from "./robot/robot-settings.js";
export type { RobotChanges } from "./robot/robot-setup.js";
export type { RobotStream } from "./robot/robot-stream.js";
export type { ContentChunk, Inherited, RunOptions, StreamOptions } from "./robot/run-options.js";
export type { SpawnOptions } from "./robot/spawn-options.js";
export type { AnswerSchema } from "./run/answer-schema.js";
export type { RetryOptions } from "./run/retry.js";
export type { TemplateContext } from "./template/template.js";

// Networks: several robots, each begun when those it waits for are done

export { NetworkError, type NetworkErrorCode } from "./errors/network-error.js";
export { TaskRunnerError, type TaskRunnerErrorCode } from "./errors/task-runner-error.js";
export type { BroadcastMessage } from "./network/broadcasts.js";
export type { DrawnOutcome } from "./network/drawn-task.js";
export { InProcessTaskRunner } from "./network/in-process-task-runner.js";
export { type AnyNetwork, Network } from "./network/network.js";
export { NetworkDrawing } from "./network/network-drawing.js";
export type { NetworkOptions, NetworkRunOptions } from "./network/network-options.js";
export { NetworkProjection } from "./network/network-projection.js";
export type { NetworkRecord, TaskRecord } from "./network/network-record.js";
export {
	NetworkResult,
	type NetworkResultInit,
	type NetworkResultRecord,
	type NetworkStatus,
	type TaskOutcome,
	type TaskOutcomeRecord,
} from "./network/network-result.js";
export type { TaskState } from "./network/schedule.js";
export type { TaskGroup } from "./network/task-group.js";
export type { DependsOn, FailurePolicy, NextFlow, TaskDefinition, TaskFlow, TaskOptions } from "./network/task-options.js";
export type { LocalTask, LocalTaskOptions, TaskRequest, TaskRunner } from "./network/task-runner.js";
export type { TaskTable } from "./network/task-table.js";
export { type LoadNetworkOptions, loadNetwork } from "./network-file/load-network.js";

// The message bus: robots that talk to each other, in any order

export type { AnyMessageBus, WaitForOptions } from "./bus/any-message-bus.js";
export type { DeadLetterFacts, DeliveryFacts, MessageFacts } from "./bus/bus-log.js";
export type { HandlingLimits, MessageBusOptions } from "./bus/bus-options.js";
export {
	BusProjection,
	type BusProjectionOptions,
	type ObservedAttempt,
	type ObservedDeath,
	type ObservedMessage,
} from "./bus/bus-projection.js";
export type { ChannelStatistics } from "./bus/bus-statistics.js";
export type {
	BusConnection,
	BusListener,
	BusTransport,
	ChannelQueue,
	ChannelSubscription,
	DeadLetterReason,
	DeliveryFailure,
	DeliveryOutcome,
	TransportDelivery,
} from "./bus/bus-transport.js";
export type { ChannelSchemas, ContentOf, ContentTo } from "./bus/channel-content.js";
export type { DeadLetter, DeadLetters } from "./bus/dead-letters.js";
export type { Delivery } from "./bus/delivery.js";
export type { HandlerOptions, MessageHandler, TaskHandlerOptions } from "./bus/handling.js";
export { InProcessTransport } from "./bus/in-process-transport.js";
export { BusMember, MessageBus } from "./bus/message-bus.js";
export type { NewMessage, NewQuestion, NewReply } from "./bus/new-message.js";
export type { OutboxEntry } from "./bus/outbox.js";
export { type MessageRecord, RobotMessage } from "./bus/robot-message.js";
export type { ReplyOptions, SentMessage } from "./bus/sent-message.js";
export { BusError, type BusErrorCode } from "./errors/bus-error.js";

// What happens in a run: one ordered log, and the views of it

export { StreamError, type StreamErrorCode } from "./errors/stream-error.js";
export { EventLog, type EventLogOptions } from "./stream/event-log.js";
export type { EventReader, Overflow, ReaderOptions } from "./stream/event-reader.js";
export type { LifecycleReason } from "./stream/lifecycle-reason.js";
export type { BegunRun, OpenRun } from "./stream/open-run.js";
export type { ContentBlock, DiffContent, ImageContent, TextContent, ToolCallContent, ToolCallLocation } from "./stream/part-content.js";
export type { NewPart, PartEnding, PartWriter } from "./stream/part-writer.js";
export type { EventsOptions, ListenerOptions, ReadableLog } from "./stream/readable-log.js";
export type { NewRun, RunEnding } from "./stream/run-publisher.js";
export { SequenceCounter } from "./stream/sequence-counter.js";
export { StreamContext, type StreamContextOptions, type StreamSurroundings } from "./stream/stream-context.js";
export type {
	EventOrigin,
	FailureFacts,
	InterruptReason,
	LifecycleStep,
	MatchedSkill,
	MatcherFallback,
	MetadataFacts,
	PartEnd,
	PartFacts,
	PartType,
	PlanEntry,
	PublishedEvent,
	RoomEvent,
	RunEnd,
	SkillReason,
	StreamEvent,
	StreamEventData,
	StreamEventOf,
} from "./stream/stream-event.js";
export {
	type DeltaEventName,
	type LifecycleEventName,
	type StreamEventName,
	type StreamEventNames,
	StreamEvents,
} from "./stream/stream-events.js";
export type { Subscription } from "./stream/subscription.js";
export type { TokenUsage } from "./stream/token-usage.js";
export type { Resync } from "./transport/event-frames.js";
export { type ReadEventsOptions, readEvents } from "./transport/read-events.js";
export { type ServeEventsOptions, serveEvents } from "./transport/serve-events.js";
export { type WriteEventsOptions, writeEvents } from "./transport/write-events.js";
export { isAgentWorkUpdate } from "./update/is-agent-work.js";
export type { AgentRuntimeState, LifecycleEvent, SandboxLifecycleState } from "./update/lifecycle-event.js";
export type {
	AgentError,
	AgentMessageChunk,
	AgentThoughtChunk,
	AgentUsage,
	OutputEvent,
	Plan,
	SessionUpdate,
	ToolCallStart,
	ToolCallStatus,
	ToolCallUpdate,
	ToolKind,
	UserMessageChunk,
} from "./update/output-event.js";
export { type LifecycleProjection, lifecycleProjection } from "./update/project-lifecycle.js";
export { type OutputProjection, outputProjection } from "./update/project-output.js";
export { reduceToolCalls, type ToolCalls } from "./update/reduce-tool-calls.js";
export type { ToolCallState } from "./update/tool-call-state.js";
export { usageTotals } from "./update/usage-totals.js";

// Hooks: what is called before, around and after what robots do

export { Hook } from "./hook/hook.js";
export type { FailedHookContext, FinishedHookContext, HookAnswer, HookContext, HookNext, HookSurroundings } from "./hook/hook-context.js";
export type {
	CompactionFacts,
	HookFacts,
	HookFamily,
	HookResult,
	LearnFacts,
	LlmGenerationFacts,
	LlmGenerationResult,
	RunFacts,
	ToolCallFacts,
} from "./hook/hook-facts.js";
export { type HookOptions, registerHook } from "./hook/register-hook.js";

// What was said: shorter, searched, compared

export { type ConvergenceOptions, hasConverged, similarity } from "./guard/convergence.js";
export type { Pricing } from "./guard/pricing.js";
export type { CompressionOptions, Summarize } from "./history/compression-options.js";
export type { HistoryMatch, HistorySearchOptions } from "./history/search-history.js";

// Messages and results

export type { Message, TextMessage, ToolCall, ToolCallMessage, ToolResultMessage } from "./message/message.js";
export { RobotResult } from "./message/robot-result.js";
export type { RobotResultInit, RobotResultRecord } from "./message/robot-result-record.js";
export type { StopReason } from "./message/stop-reason.js";

// What robots know together

export type { Json } from "./json/json-values.js";
export { Memory } from "./memory/memory.js";
export type { MemoryBackend } from "./memory/memory-backend.js";
export type { ChangeOf, MemoryChange } from "./memory/memory-change.js";
export type { MemoryClock } from "./memory/memory-clock.js";
export type { MemoryOptions } from "./memory/memory-options.js";
export type { MemoryRecord } from "./memory/memory-record.js";
export type { MemoryKey, MemoryValue, MemoryValues, Remembered, ReservedValues } from "./memory/memory-values.js";
export type { WaitOptions } from "./memory/memory-waiters.js";
export { type CacheHit, type CacheLookup, SemanticCache } from "./memory/semantic-cache.js";
export type { SemanticCacheOptions } from "./memory/semantic-cache-options.js";

// Models

export type { Model, ModelChoice } from "./model/model.js";
export { offlineModel } from "./model/offline-model.js";
export { type ResolveModelOptions, resolveModel } from "./model/resolve-model.js";

// Tools

export { createTool, type ToolDefinition } from "./tool/create-tool.js";
export { type RunToolOptions, runTool } from "./tool/run-tool.js";
export type { Tool, ToolArguments, ToolContext } from "./tool/tool.js";
export { ToolManifest, type ToolRecord } from "./tool/tool-manifest.js";
export type { ToolOutcome } from "./tool/tool-outcome.js";

// Asking a person

export type { Ask } from "./ask/ask.js";
export { type AskUserOptions, askUser } from "./ask/ask-user.js";
export type { Question } from "./ask/question.js";

// Tools, resources and prompts of Model Context Protocol servers

export type { McpAddressOptions, McpCommonOptions, McpProgramOptions, McpServerOptions } from "./config/mcp-server-options.js";
export type { McpServerStatus } from "./mcp/connection.js";
export type { McpContents, McpPrompt, McpPromptText, McpResource } from "./mcp/contents.js";
export { McpServers } from "./mcp/mcp-servers.js";
export type { McpTool } from "./mcp/remote-tool.js";
export type { McpChoiceOptions, McpListOptions, McpToolsOptions } from "./mcp/server-options.js";

// Documents: texts that robots look up, and what tells how alike texts are

export type { DocumentMetadata, DocumentStoreRecord, NewDocument, StoredDocument } from "./document/document.js";
export type { DocumentMatch } from "./document/document-match.js";
export type { DocumentSearchOptions, DocumentStoreOptions } from "./document/document-options.js";
export { DocumentStore } from "./document/document-store.js";
export type { Calibration, Embedder, EmbedOptions } from "./embedding/embedder.js";
export { lexicalEmbedder } from "./embedding/lexical-embedder.js";

// Skills

export { type EmbedderOfOptions, type EmbeddingModel, embedderOf } from "./matching/embedder-of.js";
export { EmbeddingCache, type EmbeddingCacheOptions } from "./matching/embedding-cache.js";
export { type LoadEmbedderOptions, loadEmbedder } from "./matching/load-embedder.js";
export type { SkillMatcherOptions } from "./matching/matcher-options.js";
export { type NamedSkills, namedSkills } from "./matching/named-skills.js";
export type { SkillMatch, SkillMatches } from "./matching/skill-match.js";
export { SkillMatcher } from "./matching/skill-matcher.js";
export { SKILLS_ROOT } from "./paths/skills-root.js";
export { AgentSkill, type LoadSkillOptions } from "./skill/agent-skill.js";
export { AgentSkillCatalog, type CatalogWatchOptions } from "./skill/agent-skill-catalog.js";
export { type FoundBundle, type FoundBundles, findBundles } from "./skill/find-bundles.js";
export type { SkillChanges } from "./skill/repeated-scan.js";
export type { CatalogEntry } from "./skill/scan-roots.js";
export type { SkillDiagnostic } from "./skill/skill-diagnostic.js";
export { SkillInvalidError } from "./skill/skill-invalid-error.js";
export { type SkillRoot, skillRoots } from "./skill/skill-roots.js";
export type { SkillSource } from "./skill/skill-source.js";
export { type ValidateSkillOptions, type ValidateSkillTextOptions, validateSkill, validateSkillText } from "./skill/validate-skill.js";
export type { ValidationMode } from "./skill/validation-mode.js";
export { type AiSdkTool, type AiSdkToolsOptions, toAiSdkTools } from "./skill-tool/ai-sdk-tools.js";
export { readSkillFile, type SkillFileText, skillFiles } from "./skill-tool/skill-files.js";
export { type SkillToolsOptions, skillTools } from "./skill-tool/skill-tools.js";

// Approval: whether a bundle is what somebody let run

export type { AskingContext } from "./approval/approval-check.js";
export type { ApprovableSkill, ApprovalOptions, ScriptCall } from "./approval/approval-options.js";
export type { ApprovalAnswer, ApprovalReason, ApprovalRequest, Approve } from "./approval/approval-request.js";
export { approveScript, type ScriptApproval } from "./approval/approve-script.js";
export type { BundleChanges } from "./approval/bundle-changes.js";
export { type BundleDigest, bundleDigest } from "./approval/bundle-digest.js";
export {
	checkAgainstLock,
	createSkillLock,
	type LockDifference,
	type LockedSkill,
	readSkillLock,
	type SkillLock,
	writeSkillLock,
} from "./approval/skill-lock.js";
export { withApproval } from "./approval/with-approval.js";

// Which tools and servers, at each level that says something of them

export type { Selection } from "./value/selection.js";

// Texts: what a mistyped name may have meant, and strangers' words on a terminal and in a shell

export { nearestNames } from "./text/nearest-names.js";
export { shellQuoted } from "./text/shell-quote.js";
export { replaceUnseen } from "./text/unseen.js";

// Capabilities: what a skill asks for and gets

export { Capabilities, type CapabilitiesInit } from "./capability/capabilities.js";
export type { RefusedCapability } from "./capability/intersect.js";

// Scripts, and what an executor of them needs

export { programOfEnv } from "./script/env-command.js";
export type { InlineMetadata, ReadMetadata } from "./script/inline-metadata.js";
export { type InspectOptions, inspectScript, type ScriptInspection } from "./script/inspect-script.js";
export type { LoggedScriptOptions } from "./script/run-logged-script.js";
export type { ScriptExecutor, ScriptOptions, ScriptResult } from "./script/script-executor.js";
export { type ScriptHelpOptions, scriptHelp, withScriptHelp } from "./script/script-help.js";
export { type ReadScriptInput, readScriptInput } from "./script/script-input.js";
export { limitsBeyondOutput, outputBudget } from "./script/script-limits.js";
export type {
	ParameterDeclaration,
	ParameterFlaw,
	ParameterType,
	ScriptInput,
	ScriptParameter,
	ScriptParameters,
} from "./script/script-parameters.js";
export { refusedResult, type ScriptEnding, scriptEnding, tellEnding, toScriptResult } from "./script/script-result.js";
export { type ScriptSource, scriptSourceOf } from "./script/script-source.js";
export type { ScriptToolOptions } from "./script/script-to-tool.js";
export { ScriptTool, type ScriptToolFactory } from "./script/script-tool.js";
export { parseShebang, readShebang } from "./script/shebang.js";
export { type ScriptSurroundings, scriptSurroundings } from "./script/surroundings.js";
export { runUnconfined, type UnconfinedBounds, unconfinedExecutor } from "./script/unconfined-executor.js";
export type { Confinement, ScriptOutcome, ScriptRefusal } from "./stream/script-outcome.js";
