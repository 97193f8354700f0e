import type { RetentionAge } from '../app/storage/storage-app.js';
import type { AuditPlan, AuditRemoval } from '../domain/ports/retention.js';
import type { MovePlan, MoveReport } from '../domain/ports/store-move.js';
import type { ComprehensionReport } from '../view/comprehension.js';
import type { GraphFormat } from '../view/graph/draw.js';
import type { TopologyGraph } from '../view/graph/topology-graph.js';
import type { StorageReport } from '../view/storage-report.js';
import type { SystemReport } from '../view/system-report.js';

/** What of `ui/` shows where a workspace keeps things, and what is there. */
export interface InfoRenderers {
  /**
   * A table, one store a line, with the reasons of what is unresolved and the warnings below it.
   */
  storageText(report: StorageReport, view: ListView): string;
  /** `all`: variables that are not set too. */
  systemText(report: SystemReport, view: ListView & { readonly all: boolean }): string;
  comprehensionText(report: ComprehensionReport, view: ListView): string;
  /** Topologies in one of the formats of `kit graph`. */
  drawGraphs(graphs: readonly TopologyGraph[], format: GraphFormat): string;
  /** A table, one table of the store a line, and what there is to do. */
  movePlanText(plan: MovePlan, view: ListView): string;
  moveReportText(report: MoveReport, view: ListView): string;
  /** What a removal of audit takes; null = nothing was ever run there. */
  pruneText(
    removal: ((AuditPlan | AuditRemoval) & RetentionAge) | null,
    view: ListView & { readonly isDryRun: boolean },
  ): string;
}

/** How lists and pages about runs are shown. */
export interface ListView {
  readonly color: boolean;
  /**
   * Columns of the terminal; null = stdout is none, and nothing is ever cut
   * (docs/design/decisions.md#terminal).
   */
  readonly width: number | null;
}
