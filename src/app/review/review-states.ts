import type { GateRound, ReviewItem, ReviewState } from '../../domain/gates.js';
import type { Stores } from '../../domain/ports/stores.js';

/** Reviews that are read at a time: a list of a thousand items asks no store for all at once. */
const AT_ONCE = 16;

/** The reviews of the runs of some items, each read once; a run that is gone has none. */
export async function statesOf(
  { reviews }: Pick<Stores, 'reviews'>,
  items: readonly Pick<ReviewItem, 'jobId'>[],
): Promise<ReadonlyMap<string, ReviewState>> {
  const ids = [...new Set(items.map((item) => item.jobId))];
  const states = new Map<string, ReviewState>();
  for (let at = 0; at < ids.length; at += AT_ONCE)
    for (const state of await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => reviews.state(id))))
      if (state !== null) states.set(state.job.id, state);
  return states;
}

/** The round that an item belongs to; null: it is not a role task. */
export const roundOf = (state: ReviewState, item: Pick<ReviewItem, 'gateId' | 'round'>): GateRound | null =>
  item.gateId === null
    ? null
    : (state.gates.find((gate) => gate.gateId === item.gateId && gate.round === item.round) ?? null);
