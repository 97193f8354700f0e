/** A table that moves, with the columns by which its rows are put in order. */
export interface MovedTableSpec {
  readonly table: string;
  readonly key: readonly string[];
}

/** The blobs are files in one store and a table in the other. */
export const BLOBS = 'blobs';

/** Every table that moves, those that others name first. */
export const MOVED_TABLES: readonly MovedTableSpec[] = [
  { table: 'jobs', key: ['ord'] },
  { table: 'steps', key: ['ord'] },
  { table: 'events', key: ['pos'] },
  { table: 'gates', key: ['ord'] },
  { table: 'review_items', key: ['ord'] },
  { table: 'decisions', key: ['ord'] },
  { table: 'timers', key: ['job_id', 'key', 'kind'] },
  { table: 'artifacts', key: ['ord'] },
  { table: 'blob_candidates', key: ['sha256'] },
  { table: 'once_keys', key: ['once_key'] },
  { table: 'serve_access', key: ['ord'] },
  { table: 'trigger_occurrences', key: ['occurrence_key'] },
  { table: 'canary_counters', key: ['route_key', 'version'] },
  { table: 'canary_results', key: ['route_key', 'job_id'] },
  { table: 'canary_promotions', key: ['ord'] },
  { table: 'conversations', key: ['ord'] },
  { table: 'conversation_turns', key: ['conversation_id', 'n'] },
  { table: 'memories', key: ['id'] },
  { table: 'memory_words', key: ['space', 'word', 'memory'] },
  { table: 'memory_changes', key: ['memory', 'n'] },
  { table: 'memory_quarantine', key: ['id'] },
  { table: 'knowledge_documents', key: ['digest'] },
  { table: 'knowledge_passages', key: ['document', 'n'] },
  { table: 'knowledge_words', key: ['word', 'document'] },
  { table: 'knowledge_indexes', key: ['digest'] },
  { table: 'knowledge_files', key: ['index_digest', 'path'] },
  { table: 'prompts', key: ['ord'] },
  { table: 'usage_runs', key: ['job_id', 'last_seq'] },
  { table: 'usage_days', key: ['day', 'topology_id', 'model'] },
  { table: 'pruned_runs', key: ['job_id'] },
  { table: 'pruned_access', key: ['ord'] },
];

/**
 * What stays: who holds a lead, who lives and what a limit was says nothing on another one,
 * `store_meta` is merged by hand, and the target has an index where this one has `event_types`.
 */
export const LEFT_TABLES: readonly string[] = ['store_meta', 'leads', 'fleet_members', 'limiters', 'event_types'];

/**
 * Stores of before have no rows of what their runs used, and nobody would count them in the target:
 * whoever opens one with this kit counts them.
 */
export const FIRST_MOVED_SCHEMA = 18;

/** A value of a row; both drivers give whole numbers below 2^53, doubles, text and null. */
export type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

/** A column of the target. */
export interface Column {
  readonly name: string;
  /** As the server names it: `text`, `bigint`, `double precision`. */
  readonly type: string;
  readonly isRequired: boolean;
}

/** Rows of one transaction, and the bytes of their values: whichever is reached first. */
export const SLICE_ROWS = 1_000;
export const SLICE_BYTES = 4 * 1024 * 1024;
