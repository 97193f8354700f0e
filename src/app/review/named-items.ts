import { KitError } from '../../domain/errors.js';
import type { GateRound, ReviewItem } from '../../domain/gates.js';
import type { Job } from '../../domain/job.js';
import { isTerminal } from '../../domain/job-status.js';
import type { Stores } from '../../domain/ports/stores.js';
import { hasExpired } from '../../govern/approval/admit.js';
import { findJob } from '../find-job.js';
import { findGate, findItem } from './find-item.js';

/** Items of one run that are looked at; more of them are not told apart by hand. */
const MOST = 200;

/** How many candidates an ambiguous name lists. */
const SHOWN = 6;

/** `RUN` or `RUN:AGENT`, each of them as far as it is typed. */
const OF_A_RUN = /^([0-9a-f]{3,12})(:.*)?$/s;

/**
 * What waits of a run or a gate, by its id or the beginning of it; else one item, by its id or a
 * beginning that no other has, whether it waits or not. Throws KIT_ITEM_UNKNOWN,
 * KIT_ITEM_AMBIGUOUS, KIT_JOB_ID_AMBIGUOUS.
 */
export async function itemsCalled(
  stores: Pick<Stores, 'reviews' | 'jobs' | 'retention'>,
  name: string,
): Promise<readonly ReviewItem[]> {
  const exact = await stores.reviews.item(name);
  if (exact !== null) return [exact];
  const [, run = '', agent = ''] = OF_A_RUN.exec(name) ?? [];
  const job = run === '' ? null : await runCalled(stores, run);
  if (job === null) return [await findItem(stores.reviews, name)];
  const itemsOf = async (show: 'pending' | 'all'): Promise<readonly ReviewItem[]> => {
    const { items } = await stores.reviews.items({ jobId: job.id, show, limit: MOST });
    return agent === '' ? items : items.filter((item) => item.gateId?.startsWith(`${job.id}${agent}`) === true);
  };
  const named = await itemsOf('pending');
  if (named.length > 0) return named;
  const all = await itemsOf('all');
  const since = (await expiryOf(stores, all)) ?? whatBecame(job, all);
  throw new KitError('KIT_ITEM_UNKNOWN', `nothing of ${job.id}${agent} waits for a decision${since}`, {
    hint: `Run \`kit why ${job.id}\` to see how it stands.`,
    data: { run_id: job.id },
  });
}

/** The newest gate was not decided in time; null = it was, or there is none. */
async function expiryOf({ reviews }: Pick<Stores, 'reviews'>, items: readonly ReviewItem[]): Promise<string | null> {
  const gateId = items.findLast((item) => item.gateId !== null)?.gateId ?? null;
  const gate = gateId === null ? null : await reviews.gate(gateId);
  if (gate === null || gate.status === 'pending' || !hasExpired(gate, '')) return null;
  return ` any more: gate ${gate.gateId} was not decided in time, it expired at ${gate.expiresAt}`;
}

/** Whoever comes second is told who came first, or that the run is over. */
function whatBecame({ status }: Pick<Job, 'status'>, items: readonly ReviewItem[]): string {
  const decided = items.filter(({ resolvedBy }) => resolvedBy !== '');
  const last = decided.toSorted((a, b) => ((a.resolvedAt ?? '') < (b.resolvedAt ?? '') ? 1 : -1)).at(0);
  if (last === undefined) return items.length > 0 && isTerminal(status) ? ` any more: the run is ${status}` : '';
  return ` any more: ${last.id} is ${last.status}, by ${last.resolvedBy}`;
}

/**
 * The newest round of a gate, by its id, by the beginning of its run and its agent (`4f2a:wri`), or
 * by the run alone where that has one gate. Throws KIT_GATE_UNKNOWN, KIT_ITEM_AMBIGUOUS,
 * KIT_JOB_ID_AMBIGUOUS.
 */
export async function gateCalled(
  stores: Pick<Stores, 'reviews' | 'jobs' | 'retention'>,
  name: string,
): Promise<GateRound> {
  const exact = await stores.reviews.gate(name);
  if (exact !== null) return exact;
  const [, run = '', agent = ''] = OF_A_RUN.exec(name) ?? [];
  const job = run === '' ? null : await runCalled(stores, run);
  const state = job === null ? null : await stores.reviews.state(job.id);
  const start = `${job?.id ?? ''}${agent}`;
  const ids = [...new Set(state?.gates.map(({ gateId }) => gateId) ?? [])].filter((id) => id.startsWith(start));
  const [first, second] = ids;
  if (first === undefined) return findGate(stores.reviews, name);
  if (second === undefined) return findGate(stores.reviews, first);
  throw new KitError('KIT_ITEM_AMBIGUOUS', `${name} fits several gates: ${ids.slice(0, SHOWN).join(', ')}`, {
    data: { candidates: ids },
  });
}

/**
 * Of several items that are called so: the only one that is a task of `roles`, the roles of whoever
 * looks. Throws KIT_ITEM_AMBIGUOUS.
 */
export async function oneToShow(
  name: string,
  items: readonly ReviewItem[],
  roles: () => Promise<readonly string[]>,
): Promise<ReviewItem> {
  const [first, second] = items;
  if (first !== undefined && second === undefined) return first;
  const own = await roles();
  const theirs = items.filter(({ role }) => role !== null && own.includes(role));
  const [mine, another] = theirs;
  if (mine !== undefined && another === undefined) return mine;
  const candidates = (theirs.length === 0 ? items : theirs).map(({ id }) => id);
  throw new KitError('KIT_ITEM_AMBIGUOUS', `${name} fits several items: ${candidates.slice(0, SHOWN).join(', ')}`, {
    hint: 'Name one of them by its whole id.',
    data: { candidates },
  });
}

/** An id of an item may begin like one of a run: then no run is called so. */
async function runCalled(stores: Pick<Stores, 'jobs' | 'retention'>, run: string): Promise<Job | null> {
  try {
    return await findJob(stores, run);
  } catch (error) {
    if (error instanceof KitError && error.code === 'KIT_JOB_UNKNOWN') return null;
    throw error;
  }
}
