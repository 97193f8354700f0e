import type { EventPayloads } from '../domain/generated/events.js';
import { ExactSum } from '../lib/exact-sum.js';

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
    const key = `${day}\n${topologyId}\n${model}`;
    let used = this.#used.get(key);
    if (used === undefined) {
      used = begun({ day, topologyId, model, seq, timestamp });
      this.#used.set(key, used);
    }
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
