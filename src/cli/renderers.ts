import type { EvalCaseResult, EvalOutcome, EvalReport } from '../app/evals/eval-app.js';
import type { InertBinding, RunReport, RunSummary, RunTrace } from '../app/observe/observe-app.js';
import type { KeptPrompts, RunDebug } from '../app/observe/read-debug.js';
import type { VerifiedProof } from '../app/proof/proof-app.js';
import type { ResolvedItem } from '../app/review/decision.js';
import type { AskedGate, ItemDetails, ListedPage, SimulatedGate, WhyReport } from '../app/review/review-app.js';
import type { StopReport } from '../app/stop-job.js';
import type { UnmetDemand, WorkspaceReport } from '../app/workspace-report.js';
import type { StoredEvent } from '../domain/events.js';
import type { Job } from '../domain/job.js';
import type { JsonObject } from '../domain/json.js';
import type { ArtifactRecord } from '../domain/ports/artifacts.js';
import type { PluginCheckReport } from '../domain/ports/plugin-authoring.js';
import type { QueueStats } from '../domain/ports/serving.js';
import type { CrashReport, DoctorReport } from '../view/doctor-report.js';
import type { FleetOverview } from '../view/fleet-overview.js';
import type { UsageReport } from '../view/model-usage.js';
import type { RunView } from '../view/run-view.js';
import type { SkillGap } from '../view/skill-gaps.js';
import type { AdapterRenderers, ChangesRenderers, TrustRenderers } from './harness-renderers.js';
import type { InfoRenderers, ListView } from './info-renderers.js';
import type { RunAfterDecision } from './run-after-decision.js';
import type { OpenInbox, OpenLiveRun, OpenTop } from './screens.js';
import type { GoOnView, SummaryView } from './summary-view.js';

export type { RunAfterDecision } from './run-after-decision.js';

/** How a validation is shown. */
export interface ValidationView {
  /** Agents of every topology, and the command lines that a run can start. */
  readonly tree: boolean;
  /** Errors alone. */
  readonly quiet: boolean;
  /** Why a check that was asked for failed; [] = none did. */
  readonly failures: readonly UnmetDemand[];
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}

/** What the formats for CI are told of a validation. */
export interface ValidationFindingsView extends Pick<ValidationView, 'quiet' | 'failures'> {
  /** Absolute directory that was validated. */
  readonly workspaceDir: string;
  /** Absolute directory that paths are relative to. */
  readonly repositoryDir: string;
  /** Version of kit. */
  readonly version: string;
  /** Page (Markdown) of each diagnostic code that has one. */
  readonly pages: ReadonlyMap<string, string>;
}

/**
 * What of `ui/` commands show text with; each part is loaded when first asked for. Boot provides
 * it, so that no command imports `ui/`.
 */
export interface Renderers {
  validation(): Promise<ValidationRenderers>;
  /** The formats of a validation that other tools read: few ask for them. */
  validationFindings(): Promise<ValidationFindingsRenderers>;
  run(): Promise<RunRenderers>;
  pluginCheck(): Promise<PluginCheckText>;
  /** What a verdict on a proof is shown with. */
  proofVerdict(): Promise<ProofVerdictText>;
  /** What lists and pages about runs are shown with. */
  observe(): Promise<ObserveRenderers>;
  /** What shows gates, items and decisions. */
  review(): Promise<ReviewRenderers>;
  artifacts(): Promise<ArtifactsText>;
  adapters(): Promise<AdapterRenderers>;
  trust(): Promise<TrustRenderers>;
  changes(): Promise<ChangesRenderers>;
  /** What shows the verdicts on eval sets. */
  evals(): Promise<EvalRenderers>;
  info(): Promise<InfoRenderers>;
  /** What calls of models came to, and a line for each model, topology or day. */
  usageText(): Promise<(report: UsageReport, view: ListView) => string>;
  fleet(): Promise<FleetRenderers>;
  /** What became of asking a run to stop; `workspace`: as it was named, '' = it was found. */
  stopText(): Promise<(report: StopReport, workspace: string) => string>;
  /** Loads the screen of `kit top`; with React, like the live tree. */
  loadTop(): Promise<OpenTop>;
  doctor(): Promise<DoctorRenderers>;
  /** Loads the inbox; with React, like the live tree. */
  loadInbox(): Promise<OpenInbox>;
  /**
   * Loads the live tree, the only part with React: ask for it on a terminal alone, and early,
   * because it takes a while.
   */
  loadLiveRun(): Promise<OpenLiveRun>;
}

/** What shows the verdicts on eval sets. */
export interface EvalRenderers {
  evalCaseText(result: EvalCaseResult): string;
  evalSummary(outcome: EvalOutcome, options: { readonly compare: boolean }): string;
  /** JUnit XML. */
  evalJunit(outcomes: readonly EvalOutcome[]): string;
  /** The report as it is written. */
  toReport(outcome: EvalOutcome): EvalReport;
}

/** What shows a validation. */
export interface ValidationRenderers {
  /** The report for people; '' when there is nothing to say (`quiet` and no error). */
  validationText(report: WorkspaceReport, view: ValidationView): string;
  /** The values of its JSON Lines. */
  validationJson(
    report: WorkspaceReport,
    view: Pick<ValidationView, 'tree' | 'quiet' | 'failures'>,
  ): readonly JsonObject[];
}

/** What shows the problems of a validation to other tools. */
export interface ValidationFindingsRenderers {
  /** The report as one SARIF 2.1.0 log. */
  validationSarif(report: WorkspaceReport, view: ValidationFindingsView): JsonObject;
  /** The report as workflow commands of GitHub Actions, one a line, and a last line for people. */
  validationGithub(report: WorkspaceReport, view: ValidationFindingsView): string;
}

/** What shows a run line by line. */
export interface RunRenderers {
  /** One event as one line; null = nothing to show at this verbosity. */
  eventLine(
    event: StoredEvent,
    options: { readonly color: boolean; readonly verbose: boolean; readonly time?: boolean },
  ): string | null;
  /**
   * The end of a run: output, status with its reason, what it used, warnings, the command to go on
   * with.
   */
  runSummary(view: RunView, job: Job, options: SummaryView): string;
  /**
   * How a failed run goes on, as `kit why` says it; `self` is whoever types the command. Null for
   * any other run.
   */
  goOn(job: Job, how: { readonly workspaceArgument: string; readonly self: string }): Promise<GoOnView | null>;
}

/** The report of `kit plugins check`; `verbose` adds every check that held. */
export type PluginCheckText = (
  report: PluginCheckReport,
  options: { readonly color: boolean; readonly verbose: boolean },
) => string;

/** A verdict on a proof: for people, one value for programs, and whether the check passed. */
export type ProofVerdictText = (
  verdict: VerifiedProof,
  options: { readonly requireOrigin: boolean },
) => { readonly text: string; readonly wire: JsonObject; readonly passed: boolean };

/** A table, one artifact a line; its first column is the ref with its digest, never cut. */
export type ArtifactsText = (artifacts: readonly ArtifactRecord[], view: ListView) => string;

/** What of `ui/` shows what `kit doctor` found. */
export interface DoctorRenderers {
  /** One line a check, the fix below it, and how many there are of each as the last line. */
  doctorText(report: DoctorReport, view: ListView): string;
  /** Points after which a run did not come to its end, and the figures of all as the last line. */
  crashText(report: CrashReport, view: ListView): string;
  /** How far it has come, in one line. */
  crashProgress(report: CrashReport): string;
}

/** What of `ui/` shows runs that are looked at afterwards. */
export interface ObserveRenderers {
  debugText(debug: RunDebug, options: { readonly full: boolean }): string;
  promptsText(kept: KeptPrompts, options: { readonly full: boolean }): string;
  /** A table, one run a line. */
  statusText(runs: readonly RunSummary[], view: ListView): string;
  /**
   * Head, call graph, tokens by agent and by model; the run's view is folded from `EMPTY_TRACE`.
   */
  traceText(run: RunTrace, view: ListView): string;
  /** The line above the events of a run. */
  logHeader(job: Job, view: Pick<ListView, 'color'>): string;
  /** One event that belongs to no run. */
  looseLine(event: StoredEvent, view: Pick<ListView, 'color'>): string;
  /** The last line of a log that ended because its run waits for a decision. */
  waitText(job: Job): string;
  /** A run as a page of Markdown; `shown` are the events that pass the filters. */
  logMarkdown(page: { readonly job: Job; readonly view: RunView; readonly shown: readonly StoredEvent[] }): string;
  gapsText(gaps: readonly SkillGap[], view: ListView): string;
  inertText(bindings: readonly InertBinding[], view: ListView): string;
  queueText(stats: QueueStats, view: ListView): string;
  /** One self-contained HTML page: it opens from disk and reaches no network. */
  reportHtml(report: RunReport): string;
}

/** How reviews are shown as text. */
export interface ReviewView extends ListView {
  /** How the user named the workspace, as an argument to paste; '' = none is needed. */
  readonly workspaceArgument: string;
}

/** What of `ui/` shows gates, items and decisions. */
export interface ReviewRenderers {
  /** A table, one item a line; ids are never cut. `all`: decided ones are listed too. */
  /** `mine`: those of one person alone were asked for. */
  itemsText(page: ListedPage, view: ReviewView & { readonly all: boolean; readonly mine?: boolean }): string;
  itemText(details: ItemDetails, view: ReviewView & { readonly isWhole?: boolean }): string;
  /** What is asked comes first. */
  gateText(gate: AskedGate, view: ReviewView): string;
  /** What a decision came to. */
  resolvedText(resolved: ResolvedItem, view: ReviewView): string;
  /** The run after a decision: who goes on with it, and what to paste where nobody does. */
  runAfterText(run: RunAfterDecision, view: ReviewView): string;
  simulateText(gates: readonly SimulatedGate[], view: Pick<ReviewView, 'color'>): string;
  whyText(report: WhyReport, view: ReviewView): string;
}

/** What shows a fleet as one page. */
export interface FleetRenderers {
  topText(overview: FleetOverview, view: ListView): string;
}
