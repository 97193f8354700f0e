import { KitError } from '../domain/errors.js';
import type { Conversation, ConversationTurn } from '../domain/ports/serving.js';

/** A conversation as both dialects return it. */
export interface ConversationRecord {
  readonly id: string;
  readonly topology: string;
  readonly created_by: string;
  readonly shared: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A turn with what there is of its run; null: no such run was submitted, and no reader sees it. */
export interface TurnRecord {
  readonly n: number;
  readonly job_id: string;
  readonly message: string;
  readonly created_at: string;
  readonly status: string | null;
  readonly output: string | null;
  readonly completed_at: string | null;
  /** The run is gone (`storage.audit.retention_days`), and its output with it. */
  readonly pruned_at: string | null;
}

/** Stands where the answer stood; people and models read it. */
const PRUNED_ANSWER = '(the run was pruned, its answer is no longer kept)';

const decodeTurn = (row: TurnRecord): ConversationTurn => {
  const isAnswered = row.status === 'completed';
  return {
    n: row.n,
    jobId: row.job_id,
    message: row.message,
    answer: isAnswered ? (row.output ?? (row.pruned_at === null ? '' : PRUNED_ANSWER)) : null,
    createdAt: row.created_at,
    answeredAt: isAnswered ? row.completed_at : null,
  };
};

export const decodeConversation = (row: ConversationRecord, turns: readonly TurnRecord[]): Conversation => ({
  id: row.id,
  topology: row.topology,
  createdBy: row.created_by,
  shared: row.shared === 1,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  turns: turns.map(decodeTurn),
});

/** Ids that a lookup reads: enough to name what an ambiguous prefix may mean. */
export const CANDIDATES = 6;

export function conversationUnknown(asked: string, candidates: readonly string[] = []): KitError {
  const known = candidates.length === 0 ? '' : `; it may be ${candidates.join(', ')}`;
  const problem =
    candidates.length === 0
      ? `there is no conversation ${asked}`
      : `${asked} begins more than one conversation${known}`;
  return new KitError('KIT_CONVERSATION_UNKNOWN', problem, { data: { id: asked, candidates: [...candidates] } });
}

/**
 * A submit that was cut off by a crash leaves a turn without a run: it holds the conversation up no
 * longer than this.
 */
const SUBMIT_MS = 60_000;

/**
 * The number that the next turn takes. Throws KIT_CONVERSATION_BUSY while the last one may still be
 * answered; one whose run has failed or was stopped, or was never submitted, is replaced.
 */
export function nextTurnNumber(id: string, last: TurnRecord | undefined, now: string): number {
  if (last === undefined) return 1;
  const { n, status } = last;
  if (status === 'completed') return n + 1;
  const wasNeverSubmitted = status === null && Date.parse(now) - Date.parse(last.created_at) > SUBMIT_MS;
  if (status === 'failed' || status === 'stopped' || wasNeverSubmitted) return n;
  throw new KitError('KIT_CONVERSATION_BUSY', `turn ${n} of conversation ${id} has no answer yet`, {
    data: { id, n, job_id: last.job_id, status },
  });
}
