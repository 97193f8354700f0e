import type { JsonObject } from './json.js';

/**
 * Where a binding asks: before an agent's draft, after it, between the batches of a plan, before
 * its synthesis (docs/design/execution.md#verdicts).
 */
export type DecisionTrigger = 'pre_input' | 'post_output' | 'checkpoint' | 'pre_synthesis';

/** Bindings that memory brings along; they name no skill file, and no skill is asked for them. */
export const MEMORY_BINDINGS: readonly string[] = ['memory-reader', 'memory-writer'];

/**
 * One entry of `governance.decision_skills` after merge: the topology's of an id replaces the
 * workspace's, and none is switched off. Plain JSON.
 */
export interface DecisionBinding {
  /** Decision skill. */
  readonly skill: string;
  readonly trigger: DecisionTrigger;
  /** Agents that it is asked of; null = all. */
  readonly agents: readonly string[] | null;
  /** A `fail` blocks; false: it is evaluated and audited, and blocks nothing. */
  readonly required: boolean;
  /** Handed to the skill. */
  readonly config: JsonObject;
  /**
   * Revisions of one output that its bindings together may ask for: the largest of those involved
   * counts. `config.max_retries`, 4 unless written.
   */
  readonly maxRetries: number;
}
