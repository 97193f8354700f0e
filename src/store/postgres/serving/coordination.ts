import type { LimiterAnswer, LimiterAsk } from '../../../domain/limiter.js';
import { exchange, newLimiterText } from '../../limiter-row.js';
import { OCCURRENCE_MS, occurrenceKey } from '../../occurrence-key.js';
import {
  ADD_LIMITER,
  GET_LEAD,
  IS_TAKEN,
  SET_LIMITER,
  TAKE_LEAD,
  TAKE_OCCURRENCE,
  YIELD_LEAD,
} from '../../sql/coordination.js';
import type { PostgresDeps } from '../deps.js';
import { DROP_OCCURRENCES, LOCK_LIMITER } from '../sql/coordination.js';
import { NOW } from '../sql/session.js';
import type { Transaction } from '../transaction.js';

/** True for one caller of all processes. */
export async function takeOccurrence(deps: PostgresDeps, triggerId: string, occurrence: string): Promise<boolean> {
  const key = occurrenceKey(triggerId, occurrence);
  if ((await deps.read((sql) => sql.get(IS_TAKEN, { key }))) !== undefined) return false;
  const work = async (tx: Transaction): Promise<boolean> => {
    await tx.run(DROP_OCCURRENCES, { before: tx.nowPlus(-OCCURRENCE_MS) });
    return (await tx.run(TAKE_OCCURRENCE, { key, triggerId, occurrence, now: tx.now })) > 0;
  };
  return deps.queue.run({ writes: ['serving.occurrence'], jobs: [], work });
}

interface Lead {
  readonly name: string;
  readonly holder: string;
  readonly ttlMs: number;
}

interface SeenLead {
  readonly holder: string;
  readonly lead_until: string;
}

export async function lead(deps: PostgresDeps, { name, holder, ttlMs }: Lead): Promise<boolean> {
  const isOthers = await deps.read(async (sql) => {
    const seen = await sql.get<SeenLead>(GET_LEAD, { name });
    if (seen === undefined || seen.holder === holder) return false;
    return seen.lead_until > ((await sql.get<{ now: string }>(NOW))?.now ?? '');
  });
  if (isOthers) return false;
  const work = async (tx: Transaction): Promise<boolean> =>
    (await tx.run(TAKE_LEAD, { name, holder, until: tx.nowPlus(ttlMs), now: tx.now })) > 0;
  return deps.queue.run({ writes: ['serving.lead'], jobs: [], work });
}

export async function yieldLead(deps: PostgresDeps, name: string, holder: string): Promise<void> {
  await deps.queue.run({ writes: ['serving.lead'], jobs: [], work: (tx) => tx.run(YIELD_LEAD, { name, holder }) });
}

/** A limit that is lost is found out again: no crash of this write matters. */
export function shareLimit(deps: PostgresDeps, account: string, ask: LimiterAsk): Promise<LimiterAnswer> {
  const work = async (tx: Transaction): Promise<LimiterAnswer> => {
    const { text, answer } = exchange(await lockedLimiter(tx, account, ask), ask, Date.parse(tx.now));
    await tx.run(SET_LIMITER, { account, state: text });
    return answer;
  };
  return deps.queue.run({ writes: [], jobs: [], work });
}

async function lockedLimiter(tx: Transaction, account: string, ask: LimiterAsk): Promise<string> {
  const seen = await tx.get<{ state: string }>(LOCK_LIMITER, { account });
  if (seen !== undefined) return seen.state;
  const state = newLimiterText(ask);
  await tx.run(ADD_LIMITER, { account, state });
  return (await tx.get<{ state: string }>(LOCK_LIMITER, { account }))?.state ?? state;
}
