import type { Usage } from '../domain/job.js';
import type { StepOutcome, StepRow } from '../domain/journal.js';

/**
 * Larger results lie in the blob store, named by digest (docs/design/journal.md#private-journal).
 * Bytes of UTF-8.
 */
export const INLINE_OUTCOME_BYTES = 64 * 1024;

/** The steps table as both dialects return it; JSON columns as text. */
export interface StepRecord {
  readonly job_id: string;
  readonly key: string;
  readonly kind: string;
  readonly identity: string;
  readonly effects: string;
  readonly on_in_doubt: string;
  readonly attempt: number;
  readonly step_id: string;
  readonly outcome: string | null;
  readonly outcome_sha256: string | null;
  readonly notes: string;
  readonly usage: string | null;
  readonly units: number;
  readonly agent_id: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly pruned_at: string | null;
}

/** An outcome as a row holds it: inline, by digest, or not yet there. */
export interface StoredOutcome {
  readonly inline: string | null;
  readonly sha256: string | null;
}

export const NO_OUTCOME: StoredOutcome = { inline: null, sha256: null };

export function encodeStep(
  row: StepRow,
  outcome: StoredOutcome,
): Readonly<Record<Exclude<keyof StepRecord, 'pruned_at'>, string | number | null>> {
  return {
    job_id: row.jobId,
    key: row.key,
    kind: row.kind,
    identity: row.identity,
    effects: row.effects,
    on_in_doubt: row.onInDoubt,
    attempt: row.attempt,
    step_id: row.stepId,
    outcome: outcome.inline,
    outcome_sha256: outcome.sha256,
    notes: JSON.stringify(row.notes),
    usage: encodeUsage(row.usage),
    units: row.units,
    agent_id: row.agentId,
    started_at: row.startedAt,
    ended_at: row.endedAt,
  };
}

/** `outcomeText` is the inline text or the blob's. The casts restore what `encodeStep` let in. */
export function decodeStep(record: StepRecord, outcomeText: string | null): StepRow {
  return {
    jobId: record.job_id,
    key: record.key,
    kind: record.kind as StepRow['kind'],
    identity: record.identity,
    effects: record.effects as StepRow['effects'],
    onInDoubt: record.on_in_doubt as StepRow['onInDoubt'],
    attempt: record.attempt,
    stepId: record.step_id,
    outcome: outcomeText === null ? null : (JSON.parse(outcomeText) as StepOutcome),
    notes: JSON.parse(record.notes) as StepRow['notes'],
    usage: record.usage === null ? null : decodeUsage(record.usage),
    units: record.units,
    agentId: record.agent_id,
    startedAt: record.started_at,
    endedAt: record.ended_at,
    ...(record.pruned_at === null ? {} : { prunedAt: record.pruned_at }),
  };
}

/** Tokens in, out, cached and of reasoning, cost in US dollars, and 1 where some are estimated. */
type UsageList = readonly [number, number, number, number, number | null, estimated?: 1];

/** With their names: a kit of before migration 20 may read the row while it still runs. */
export const encodeUsage = (usage: Usage | null): string | null => (usage === null ? null : JSON.stringify(usage));

/** Without their names, which every call of a model would repeat: no such kit gets at the rows. */
export function thinUsage(usage: Usage | null): string | null {
  if (usage === null) return null;
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, costUsd, estimated } = usage;
  const list: UsageList = [inputTokens, outputTokens, cachedInputTokens, reasoningTokens, costUsd];
  return JSON.stringify(estimated === undefined ? list : [...list, 1]);
}

/** Either form: a store of SQLite holds both, and one that was moved from there as well. */
function decodeUsage(text: string): Usage {
  const held = JSON.parse(text) as Usage | UsageList;
  if (!isList(held)) return held;
  const [inputTokens, outputTokens, cachedInputTokens, reasoningTokens, costUsd, estimated] = held;
  const usage = { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, costUsd };
  return estimated === undefined ? usage : { ...usage, estimated: true };
}

const isList = (held: Usage | UsageList): held is UsageList => Array.isArray(held);
