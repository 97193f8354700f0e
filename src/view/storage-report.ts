import type { AuditLag } from '../domain/ports/audit.js';
import type { StoreGrowth } from '../domain/ports/retention.js';

/** Everything that a workspace keeps, by the names of `storage`. */
export type StoreName = 'runtime' | 'audit' | 'checkpoints' | 'artifacts' | 'memory' | 'fleet' | 'knowledge_bases';

/** Where one store of a workspace lies, and which setting says so. Holds no secret. */
export interface StorageRow {
  readonly store: StoreName;
  /**
   * `sqlite`, `postgres`, the plugin that keeps artifacts, or `UNRESOLVED`: what the settings ask
   * for cannot be had.
   */
  readonly backend: string;
  /**
   * `workspace-local`, a file below KIT_STATE_DIR, or a URL without its password; null when nothing
   * could be resolved.
   */
  readonly location: string | null;
  /**
   * What decided: `default`, `env`, `storage.runtime`, `storage.<store>`, or `role`: a process that
   * shares its runs keeps their journal beside them.
   */
  readonly source: string;
  /**
   * What a person changes to move it: a variable of the environment or a key of workspace.yaml;
   * null = nothing is written.
   */
  readonly setting: string | null;
  /** Why it is `UNRESOLVED`; null otherwise. */
  readonly error: string | null;
}

/** What `kit storage status` and `GET /storage` show. */
export interface StorageReport {
  /** One row a store, always in the same order. */
  readonly stores: readonly StorageRow[];
  /**
   * How far the log is behind the runs where `storage.audit` names a database of its own; null = it
   * lies with the runs.
   */
  readonly audit: AuditLag | null;
  /** Sentences for an operator: nothing is refused for them. */
  readonly warnings: readonly string[];
}

/** How large the store of the runs is, how far back it reaches, and what is due in it. */
export interface GrowthReport {
  readonly retention: {
    readonly days: number;
    /** `storage.audit.retention_days` or `default`. */
    readonly source: string;
  };
  /** `storage.audit.prune_every_hours`; null = nobody removes anything but `kit storage prune`. */
  readonly pruneEveryHours: number | null;
  readonly store: GrownStore;
}

/** Both, of one reading of the settings. */
export interface StorageStatus {
  readonly report: StorageReport;
  readonly growth: GrowthReport;
}

/** `none`: nothing was ever run there. `unknown`: it cannot be asked now. */
export type GrownStore =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'unknown';
      readonly error: string;
      readonly hint: string | null;
      /** Of a command that asks for nothing but the store. */
      readonly exitCode: 1 | 2;
    }
  | ({
      readonly kind: 'known';
      /** Milliseconds since the oldest run was submitted; null without runs. */
      readonly oldestMs: number | null;
    } & StoreGrowth);

/** The mark of a store that cannot be had. */
export const UNRESOLVED = 'UNRESOLVED';
