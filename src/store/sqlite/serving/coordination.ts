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
import { isoAt, type SqliteDeps } from '../deps.js';
import { DROP_OCCURRENCES, LOCK_LIMITER } from '../sql/coordination.js';

/** True for one caller of all processes. */
export async function takeOccurrence(deps: SqliteDeps, triggerId: string, occurrence: string): Promise<boolean> {
  const key = occurrenceKey(triggerId, occurrence);
  if ((await deps.read((sql) => sql.get(IS_TAKEN, { key }))) !== undefined) return false;
  return deps.queue.run(['serving.occurrence'], (sql) => {
    const nowMs = deps.clock.now();
    sql.run(DROP_OCCURRENCES, { before: isoAt(nowMs - OCCURRENCE_MS) });
    return sql.run(TAKE_OCCURRENCE, { key, triggerId, occurrence, now: isoAt(nowMs) }) > 0;
  });
}

interface Lead {
  readonly name: string;
  readonly holder: string;
  readonly ttlMs: number;
}

export async function lead(deps: SqliteDeps, { name, holder, ttlMs }: Lead): Promise<boolean> {
  const seen = await deps.read((sql) => sql.get<{ holder: string; lead_until: string }>(GET_LEAD, { name }));
  if (seen !== undefined && seen.holder !== holder && seen.lead_until > isoAt(deps.clock.now())) return false;
  return deps.queue.run(['serving.lead'], (sql) => {
    const nowMs = deps.clock.now();
    return sql.run(TAKE_LEAD, { name, holder, until: isoAt(nowMs + ttlMs), now: isoAt(nowMs) }) > 0;
  });
}

export function yieldLead(deps: SqliteDeps, name: string, holder: string): Promise<void> {
  return deps.queue.run(['serving.lead'], (sql) => {
    sql.run(YIELD_LEAD, { name, holder });
  });
}

/** A limit that is lost is found out again: no crash of this write matters. */
export function shareLimit(deps: SqliteDeps, account: string, ask: LimiterAsk): Promise<LimiterAnswer> {
  return deps.queue.run([], (sql) => {
    const before = sql.get<{ state: string }>(LOCK_LIMITER, { account })?.state ?? newLimiterText(ask);
    const { text, answer } = exchange(before, ask, deps.clock.now());
    if (sql.run(SET_LIMITER, { account, state: text }) === 0) sql.run(ADD_LIMITER, { account, state: text });
    return answer;
  });
}
