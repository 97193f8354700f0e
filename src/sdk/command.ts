// What a command imports as `@kit-run/kit/command`: base class, flags, type of the application.
export type { AdapterDetails } from '../app/adapters/adapters-app.js';
export type { App } from '../app/app.js';
export type { ArtifactsApp, FoundArtifact } from '../app/artifacts/artifacts-app.js';
export type { Question } from '../app/ask/ask-app.js';
export type { AppliedChanges, RunChanges } from '../app/changes/changes-app.js';
export type { ConnectionsApp, LoginStart } from '../app/connections/connections-app.js';
export type { ConversationReader, ConversationsApp } from '../app/conversations/conversations-app.js';
export type { DocMatch, DocPage } from '../app/docs/docs-app.js';
export type * from '../app/editing/editing-app.js';
export type * from '../app/evals/eval-app.js';
export type { EventsApp, SinkDelivery } from '../app/events/events-app.js';
export type { SinkCounters } from '../app/events/sinks/sink-loop.js';
export type { FixedProblem, FixReport } from '../app/fix-report.js';
export type * from '../app/info/info-app.js';
export type { InitExtra } from '../app/init/extras.js';
export type { FromPlan } from '../app/init/from/plan-from.js';
export type { InitPlan, Template } from '../app/init/init-workspace.js';
export type * from '../app/jobs/jobs-app.js';
export type { Checkpoint } from '../app/list-checkpoints.js';
export type { AskedServer, SignedIn } from '../app/logins/logins-app.js';
export type { MemoryApp, MemoryConfig } from '../app/memory/memory-app.js';
export type * from '../app/observe/observe-app.js';
export type { RunFilter } from '../app/observe/run-filter.js';
export type { NewPluginPlan } from '../app/plugins/new-plugin.js';
export type { PreferenceName } from '../app/preferences-app.js';
export type { ProviderDetails, ProviderState } from '../app/providers/providers-app.js';
export type * from '../app/review/decision.js';
export type * from '../app/review/review-app.js';
export type * from '../app/runs/runs-app.js';
export type { StreamedText } from '../app/runs/text-feed.js';
export type * from '../app/scaffold/part-request.js';
export type * from '../app/serve/http-app.js';
export type { Metric, MetricsApp } from '../app/serve/metrics-app.js';
export type * from '../app/serve/serve-app.js';
export type { SkillsApp } from '../app/skills/skills-app.js';
export type { PruneAsk } from '../app/storage/storage-app.js';
export type { PreparedRun } from '../app/submit/prepare-run.js';
export type * from '../app/triggers/triggers-app.js';
export type { WorkChange, WorkOptions } from '../app/work/worker-app.js';
export type { UnmetDemand, WorkspaceReport } from '../app/workspace-report.js';
export type { CliHost } from '../cli/cli-host.js';
export { Args, assertOutput, Flags, type FlagsOf, trustFlag, wholeNumber, writeOutput } from '../cli/flags.js';
export { type Followed, followHandle } from '../cli/follow-run-handle.js';
export { identityFlag, isAtServer, pastePlace, type Who, whoActs } from '../cli/identity-flag.js';
export { type ExitCode, KitCommand } from '../cli/kit-command.js';
export { colorFlag, type ListView, listView } from '../cli/list-view.js';
export { osUser } from '../cli/os-user.js';
export { onlyHere, workspaceArg, workspaceFlag } from '../cli/place-flags.js';
export type { ProcessIo, StdoutGuard } from '../cli/process-io.js';
export type { ProcessSettings } from '../cli/process-settings.js';
export { isDirectory, namedOrNewest, newestText, runAndWorkspace } from '../cli/run-and-workspace.js';
export { ageMs, runFilterFlags, runFilterOf } from '../cli/run-filter-flags.js';
export { openScreen, type RunScreen } from '../cli/run-screen.js';
export type { OpenLiveRun, Screens } from '../cli/screens.js';
export { showPage, webFlag } from '../cli/show-page.js';
export { pause, stopSignals } from '../cli/stop-signals.js';
export { judged, unmetDemands } from '../cli/validation-demands.js';
export { waitingOf } from '../cli/waiting-of.js';
export type { AgentNode } from '../domain/agent-node.js';
export type { Diagnostic, Severity, SourceFile, Span } from '../domain/diagnostic.js';
export type { ErrorCode } from '../domain/error-registry.js';
export { isKitError, KitError, type KitErrorOptions, messageOf } from '../domain/errors.js';
export type { StoredEvent } from '../domain/events.js';
export type { ContributionInfo, PluginReport } from '../domain/extension-points.js';
export {
  type DeciderAuth,
  type ItemKind,
  LOCAL_AUTH,
  type RecordedDecision,
  type ReviewItem,
} from '../domain/gates.js';
export { isParked, isTerminal, type Job, type JobStatus, type RunRequest, type Usage } from '../domain/job.js';
export type { Json, JsonObject } from '../domain/json.js';
export type { ArtifactRecord } from '../domain/ports/artifacts.js';
export type { PluginCheckReport } from '../domain/ports/plugin-authoring.js';
export type { PluginProposal } from '../domain/ports/plugins.js';
export type { KeptPrompt } from '../domain/ports/prompts.js';
export type { AccessEntry, Conversation } from '../domain/ports/serving.js';
export { hintFor } from '../lib/nearest.js';
export { type PastePlace, shellWord, visible } from '../lib/shell-word.js';
export type { ReviewRequest } from '../view/asked.js';
export type { AuditRow } from '../view/audit-row.js';
export { addressOf, baseUrlOf, linksBelow } from '../view/base-url.js';
export type { CanaryReport } from '../view/canary-report.js';
export type { ComprehensionReport } from '../view/comprehension.js';
export { type CrashReport, hasFailed, hasRecovered } from '../view/doctor-report.js';
export type { FleetOverview } from '../view/fleet-overview.js';
export type { GateActor, GateDetails } from '../view/gate-details.js';
export { toWireGraph } from '../view/graph/topology-graph.js';
export { httpHint, overHttp } from '../view/http-hint.js';
export { misfitsAt } from '../view/input-misfits.js';
export { type Answer, answerText } from '../view/lines/answer-text.js';
export { countText, durationText, manyLines, oneLine, stopWords, timeText } from '../view/lines/words.js';
export { describeNotYet } from '../view/not-yet-text.js';
export { RunFold } from '../view/run-fold.js';
export { EMPTY_RUN, EMPTY_TRACE, type RunView } from '../view/run-view.js';
export { artifactText, toWireArtifact, toWireContent } from '../view/schemas/artifact.js';
export { toWireCanary } from '../view/schemas/canary.js';
export {
  type AgentProbe,
  type CredentialReport,
  type RemoteAgentEntry,
  toWireAgentProbe,
  toWireCredential,
  toWireLogin,
  toWireRemoteAgent,
} from '../view/schemas/connection.js';
export { toWireEvent, toWireSpan } from '../view/schemas/event.js';
export { toWireFleet, toWireQueueStats } from '../view/schemas/fleet.js';
export { toWireGap, toWireGapRecords } from '../view/schemas/gap.js';
export { toWireComprehension, toWireGate } from '../view/schemas/gate.js';
export {
  toWireStorage,
  toWireSystem,
  toWireUsageReport,
  toWireUsageSummary,
  USAGE_KEYS,
} from '../view/schemas/info.js';
export { toWireAsked, toWireDecision, toWireElsewhere, toWireItem } from '../view/schemas/item.js';
export { toWireJob, toWireJobSummary } from '../view/schemas/job.js';
export {
  type ConversationSummary,
  toWireConversation,
  toWireMemory,
  toWireMemoryChange,
  toWireMemoryConfig,
  toWireMemoryWritten,
  toWireQuarantine,
} from '../view/schemas/memory.js';
export { toWireFigures, toWireRun } from '../view/schemas/run.js';
export {
  toWireCatalogue,
  toWireFoundSkills,
  toWireImport,
  toWireSkillCheck,
  toWireSkillPlan,
  toWireSkillRow,
} from '../view/schemas/skill.js';
export { toWireReachability, toWireVerification } from '../view/schemas/workspace.js';
export { commandLine, toWireSituation } from '../view/situation/wire-situation.js';
export type { SkillGap } from '../view/skill-gaps.js';
export type * from '../view/skill-report.js';
export { endWhenRefused, sendStream } from '../view/sse-stream.js';
export type * from '../view/storage-report.js';
export type { SystemReport } from '../view/system-report.js';
export type { Span as TraceSpan } from '../view/trace-spans.js';
export type { UpgradePlan } from '../view/upgrade-report.js';
export { issuesOf } from '../view/warnings.js';
export { toWireCrash, toWireDoctor } from '../view/wire-doctor.js';
export { installWords, toWireMovePlan, toWireMoveReport, toWirePrune, toWireUpgrade } from '../view/wire-upkeep.js';
