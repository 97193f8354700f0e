import type { CopyState } from '../../domain/ports/audit.js';
import type { AuditPlan, AuditRemoval, PlanMethod, PruneProgress } from '../../domain/ports/retention.js';
import type { MovePlan, MoveProgress, MoveReport } from '../../domain/ports/store-move.js';

/** Whose audit is to be removed. */
export interface PruneAsk {
  /** Absolute workspace directory. */
  readonly workspace: string;
  /** Null: `storage.audit.retention_days` of the workspace (default 365). */
  readonly olderThanDays: number | null;
}

/** A removal, and who watches it. */
export interface Removal extends PruneAsk {
  readonly onProgress: PruneProgress;
  /** Aborted, the removal ends between two of its reads or writes, with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** How old audit must be, and what said so. */
export interface RetentionAge {
  readonly olderThanDays: number;
  /** `storage.audit.retention_days`, `default` or `--older-than-days`. */
  readonly source: string;
}

/** What a dry run says: what would go, and whether it may. */
export interface PrunePlan extends AuditPlan, RetentionAge {
  /** Null = the log lies with the runs and nowhere else. */
  readonly auditCopy: CopyState | null;
}

/**
 * Moving a store, and removing what is too old. Throws KIT_WORKSPACE_NOT_FOUND,
 * KIT_WORKSPACE_INVALID, KIT_STORE_UNAVAILABLE.
 */
export interface StorageApp {
  /**
   * What copying the SQLite store of the state directory into the PostgreSQL that the workspace now
   * names would do; writes nothing. Throws KIT_MIGRATE_TARGET for a workspace whose runs are kept
   * in SQLite, and what `StoreMove.plan` throws.
   */
  planMigration(workspace: string): Promise<MovePlan>;
  /** Copies and compares. Throws also KIT_MIGRATE_MISMATCH. */
  migrate(ask: { readonly workspace: string; readonly onProgress: MoveProgress }): Promise<MoveReport>;
  /**
   * What `prune` would remove; null where nothing was ever run. Throws KIT_USAGE for an age below
   * the retention of the workspace.
   */
  planPrune(ask: PruneAsk & { readonly method: PlanMethod }): Promise<PrunePlan | null>;
  /**
   * Throws also KIT_STORE_UNAVAILABLE where the plan says that the copy of the log does not hold
   * everything; nothing is removed then.
   */
  prune(removal: Removal): Promise<(AuditRemoval & RetentionAge) | null>;
  /** How often a server calls `prune` by itself, in hours; null = never. */
  pruneEveryHours(workspace: string): Promise<number | null>;
}
