import type { EventPayloads } from '../../domain/generated/events.js';
import { ExactSum } from '../../lib/exact-sum.js';
import { ADD_TO_DAY, ADD_USED, CALLS_OF_RUN, COUNTED_TO } from './sql/usage.js';
import type { SqlRunner } from './sql-runner.js';

/** A call of a model, as the log holds it. */
export interface Called {
  readonly seq: number;
  readonly timestamp: string;
  readonly topologyId: string;
  readonly payload: EventPayloads['model.called'];
}

const TOKENS = ['input_tokens', 'output_tokens', 'cached_input_tokens'] as const;

/** Calls of one model on one day: a row of `usage_runs`. */
type Used = Record<'day' | 'topology_id' | 'model' | 'first_at' | 'last_at', string> &
  Record<'first_seq' | 'last_seq' | 'calls' | 'priced' | (typeof TOKENS)[number], number> & { cost: ExactSum };

/** What calls of one run used, by day and model, as they come. */
export class RunUsage {
  readonly #used = new Map<string, Used>();

  add({ seq, timestamp, topologyId, payload }: Called): void {
    const day = timestamp.slice(0, 10);
    const model = payload.served_by?.model ?? payload.model;
    const key = [day, topologyId, model].join('\n');
    const used = this.#used.get(key) ?? begun({ day, topologyId, model, seq, timestamp });
    this.#used.set(key, used);
    used.last_seq = seq;
    if (timestamp < used.first_at) used.first_at = timestamp;
    if (timestamp > used.last_at) used.last_at = timestamp;
    used.calls += 1;
    if (isPriced(payload)) used.priced += 1;
    // A log of before may hold calls that do not tell all of them.
    for (const name of TOKENS) used[name] += payload[name] ?? 0;
    used.cost = used.cost.plus(payload.cost_usd ?? 0);
  }

  rows() {
    return [...this.#used.values()].map(({ cost, ...used }) => ({ ...used, cost_usd: cost.value }));
  }
}

const begun = (of: Pick<Called, 'seq' | 'timestamp' | 'topologyId'> & Pick<Used, 'day' | 'model'>): Used => ({
  day: of.day,
  topology_id: of.topologyId,
  model: of.model,
  first_seq: of.seq,
  last_seq: of.seq,
  first_at: of.timestamp,
  last_at: of.timestamp,
  calls: 0,
  priced: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  cost: new ExactSum(),
});

/** Where nothing was answered, nothing is unknown either. */
const isPriced = ({ cost_usd, status, input_tokens, output_tokens }: Called['payload']): boolean =>
  typeof cost_usd === 'number' || (status === 'failed' && input_tokens + output_tokens === 0);

type Owner = { readonly run: number; readonly jobId: string };

/**
 * Counts what a run has called since it ended before, in the transaction that ends it: what all
 * runs used is then told without their logs. `followed`: all that it ever called; null: whoever
 * ends it has not seen all of its log, and reads what was not counted yet.
 */
export function countUsage(sql: SqlRunner, owner: Owner, followed: RunUsage | null): void {
  for (const row of (followed ?? usageInLog(sql, owner)).rows())
    if (sql.run(ADD_USED, { jobId: owner.jobId, ...row }) > 0) sql.run(ADD_TO_DAY, row);
}

interface CallRow {
  readonly seq: number;
  readonly timestamp: string;
  readonly topology_id: string;
  readonly payload: string;
}

function usageInLog(sql: SqlRunner, { run, jobId }: Owner): RunUsage {
  const usage = new RunUsage();
  const after = sql.get<{ seq: number }>(COUNTED_TO, { jobId })?.seq ?? 0;
  // `encodeEvent` wrote it from a payload of this type.
  for (const { seq, timestamp, topology_id, payload } of sql.iterate<CallRow>(CALLS_OF_RUN, { run, after }))
    usage.add({ seq, timestamp, topologyId: topology_id, payload: JSON.parse(payload) as Called['payload'] });
  return usage;
}
