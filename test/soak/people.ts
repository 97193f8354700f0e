import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.js';
import { APPROVERS } from './workspace.js';

/** A decision that the api acknowledged. */
export interface Acknowledged {
  readonly item: string;
  readonly by: string;
  readonly outcome: 'approve' | 'reject' | 'changes_requested';
}

interface Item {
  readonly id: string;
  readonly kind: string;
  readonly role: string | null;
  readonly round: number;
  readonly gate_id: string;
  readonly stale: boolean;
}

const PAUSE_MS = 400;

/**
 * The approvers, each at a desk of their own, until `signal`: two share a role, so some decisions
 * cross. What they think of a draft is read from its gate, so a decision that has to be made twice
 * is the same. One gate in six is sent back once, one in twenty rejected.
 */
export async function decideAll(of: {
  readonly api: Api;
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly acknowledged: Acknowledged[];
}): Promise<void> {
  const desk = async (by: keyof typeof APPROVERS): Promise<void> => {
    while (!of.signal.aborted) {
      const { body } = await of.api.ask(by, { method: 'GET', path: '/review' });
      const mine = (Array.isArray(body) ? (body as readonly Item[]) : []).filter((item) => item.role === APPROVERS[by]);
      for (const item of mine) {
        if (of.signal.aborted) return;
        await decide(of, by, item);
      }
      await sleep(PAUSE_MS, undefined, { signal: of.signal });
    }
  };
  await Promise.all((['qa-1', 'qa-2', 'ops-1'] as const).map((by) => desk(by).catch(unlessOver(of.signal))));
}

async function decide(
  of: { readonly api: Api; readonly seed: number; readonly acknowledged: Acknowledged[] },
  by: keyof typeof APPROVERS,
  item: Item,
): Promise<void> {
  const outcome = outcomeOf(item, of.seed);
  const body = { outcome, comment: outcome === 'approve' ? '' : 'Once more, please.' };
  const { status } = await of.api.ask(by, {
    method: 'POST',
    path: `/review/${encodeURIComponent(item.id)}/resolve`,
    body,
  });
  // 409: somebody else was faster, or this decision was made before its answer was lost.
  if (status === 200) of.acknowledged.push({ item: item.id, by, outcome });
}

function outcomeOf(item: Item, seed: number): Acknowledged['outcome'] {
  let sum = seed;
  for (const character of `${item.gate_id}`) sum = (sum * 33 + character.charCodeAt(0)) % 1_000_003;
  if (item.role !== 'ops') return 'approve';
  if (sum % 20 === 0) return 'reject';
  return sum % 6 === 1 && item.round === 1 ? 'changes_requested' : 'approve';
}

/** What ends because the soak is over is not a failure. */
export const unlessOver =
  (signal: AbortSignal) =>
  (error: unknown): void => {
    if (!signal.aborted) throw error;
  };
