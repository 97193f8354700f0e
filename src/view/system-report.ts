import type { GrowthReport, StorageReport } from './storage-report.js';

/** A variable that kit reads. The value of a secret is the word `set`, never more. */
export interface SystemVariable {
  readonly name: string;
  /**
   * `run`: frozen with each run; `process`: read live; `provider`: read by a model provider or an
   * artifact store.
   */
  readonly group: 'run' | 'process' | 'provider';
  readonly description: string;
  readonly isSet: boolean;
  /** Null: unset, or empty. */
  readonly value: string | null;
  readonly isSensitive: boolean;
}

/**
 * A property of `workspace.env.yaml` by its dotted name; the value of a secret is the word `set`.
 */
export interface SystemProperty {
  readonly name: string;
  readonly value: string;
  readonly isSensitive: boolean;
}

/** A plugin as the system page names it. */
export interface SystemPlugin {
  readonly name: string;
  readonly version: string;
  readonly origin: string;
  readonly state: string;
  readonly code: string | null;
  readonly message: string | null;
  /** `<point> <id>` of everything that it contributes. */
  readonly contributions: readonly string[];
}

/** A command line that a run can start (docs/design/decisions.md#launch-list), as written. */
export interface SystemLaunch {
  readonly kind: string;
  readonly id: string;
  readonly argv: readonly string[];
}

/** Documents that a run may search (docs/knowledge.md), as written. */
export interface SystemKnowledge {
  readonly id: string;
  /** Relative to the workspace. */
  readonly path: string;
  /** Globs below it; empty = every Markdown, text and PDF file. */
  readonly include: readonly string[];
}

/**
 * What `kit system` and `GET /system` show of a workspace and the kit that serves it. Holds no
 * secret.
 */
export interface SystemReport {
  /**
   * Null: the workspace has errors, which `kit validate` lists; then nothing is known of its
   * launches.
   */
  readonly workspace: { readonly id: string; readonly name: string } | null;
  /** Absolute directory. */
  readonly root: string;
  /** Of the server that answers: `all` or `api`; null = a command does. */
  readonly role: 'all' | 'api' | null;
  readonly version: string;
  readonly schemaVersion: string;
  readonly nodeVersion: string;
  readonly storage: StorageReport;
  readonly growth: GrowthReport;
  readonly properties: readonly SystemProperty[];
  readonly environment: readonly SystemVariable[];
  readonly plugins: readonly SystemPlugin[];
  readonly launches: readonly SystemLaunch[];
  readonly knowledgeBases: readonly SystemKnowledge[];
}
