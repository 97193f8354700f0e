import type { WorkspaceReport } from '../app/workspace-report.js';
import type { StoredEvent } from '../domain/events.js';
import type { Job } from '../domain/job.js';
import type { JsonObject } from '../domain/json.js';
import type { PluginCheckReport } from '../domain/ports/plugin-authoring.js';
import type { RunView } from '../view/run-view.js';

/** How a validation is shown. */
export interface ValidationView {
  /** Agents of every topology, and the command lines that a run can start. */
  readonly tree: boolean;
  /** Errors alone. */
  readonly quiet: boolean;
  /** Why a check that was asked for failed; [] = none did. */
  readonly failures: readonly string[];
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}

/** What of `ui/` commands show text with. Loaded when first used; boot provides it, so that no command imports `ui/`. */
export interface Renderers {
  /** The report for people; '' when there is nothing to say (`quiet` and no error). */
  validationText(report: WorkspaceReport, view: ValidationView): string;
  /** The values of its JSON Lines. */
  validationJson(report: WorkspaceReport, view: Pick<ValidationView, 'tree' | 'quiet' | 'failures'>): readonly JsonObject[];
  /** One event as one line; null = nothing to show at this verbosity. */
  eventLine(event: StoredEvent, options: { readonly color: boolean; readonly verbose: boolean }): string | null;
  /** The end of a run: output, status with its reason, what it used, warnings, the command to go on with. */
  runSummary(view: RunView, job: Job, options: SummaryView): string;
  /** The report of `kit plugins check`; `verbose` adds every check that held. */
  pluginCheckText(report: PluginCheckReport, options: { readonly color: boolean; readonly verbose: boolean }): string;
}

/** How the end of a run is shown. */
export interface SummaryView {
  readonly color: boolean;
  /** Adds a line per agent and per model. */
  readonly verbose: boolean;
  /** Only the output. */
  readonly quiet: boolean;
  /** How the user named the workspace, as an argument to paste; '' = none is needed. */
  readonly workspaceArgument: string;
}
