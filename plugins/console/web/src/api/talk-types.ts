/** What the pages about memory, conversations and evals read of the HTTP API. */

export interface MemoryRow {
  readonly key: string;
  readonly subject: string;
  readonly attribute: string;
  readonly value: string;
  readonly type: string;
  readonly confidence: number;
  readonly last_reinforced_at: string;
  readonly reinforce_count: number;
  readonly source: string;
  readonly origin: string;
  readonly owner: string;
  readonly job_id: string | null;
}

export interface MemoryItem {
  readonly history: readonly {
    readonly op: string;
    readonly before: string | null;
    readonly after: string;
    readonly reason: string;
    readonly decided_by: string;
    readonly timestamp: string;
  }[];
}

/** What contradicts what is known, and waits for a person. */
export interface AsideRow {
  readonly id: string;
  readonly memory_key: string;
  readonly candidate: { readonly value: string; readonly source: string; readonly confidence: number };
  readonly current_value: string;
  readonly reasoning: string;
  readonly owner: string;
  readonly status: string;
  readonly created_at: string;
  readonly resolved_by: string | null;
  readonly comment: string | null;
}

export interface MemoryConfig {
  readonly enabled: boolean;
  readonly reader: { readonly max_results: number; readonly search_scope: string };
  readonly writer: { readonly min_output_length: number };
}

export interface MemoryWritten {
  readonly op: string;
  readonly changed: boolean;
}

export interface ConversationRow {
  readonly id: string;
  readonly topology: string;
  readonly turns: number;
  readonly updated: string;
  readonly last_message: string;
}

export interface Said {
  readonly role: 'human' | 'swarm';
  readonly content: string;
  readonly timestamp: string;
  readonly job_id: string;
}

export interface Conversation {
  readonly id: string;
  readonly topology: string;
  readonly created_by: string;
  readonly shared: boolean;
  readonly turns: readonly Said[];
  readonly updated_at: string;
}

export interface EvalRow {
  readonly name: string;
  readonly eval_set_id: string;
  readonly target: string;
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly not_run: readonly string[];
  readonly started_at: string;
}

export interface EvalCase {
  readonly id: string;
  readonly passed: boolean;
  readonly failures: readonly string[];
  readonly output: string;
  readonly run_id: string | null;
  readonly duration_ms: number | null;
}

export interface EvalReport extends EvalRow {
  readonly cases: readonly EvalCase[];
  readonly comparison: {
    readonly trend: string;
    readonly regressed: readonly string[];
    readonly fixed: readonly string[];
    readonly new: readonly string[];
    readonly removed: readonly string[];
  } | null;
}
