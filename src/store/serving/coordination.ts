import { createHash } from 'node:crypto';
import type { LimiterAnswer, LimiterAsk } from '../../domain/limiter.js';
import { askLimiter, type LimiterState, newLimiter } from '../../domain/limiter-state.js';
import type { ServingStore } from '../../domain/ports/serving.js';
import { get, type Program, type Programs, run, type SqlDialect } from '../program.js';
import {
  ADD_LIMITER,
  dropOccurrences,
  GET_LEAD,
  IS_TAKEN,
  lockLimiter,
  SET_LIMITER,
  TAKE_LEAD,
  TAKE_OCCURRENCE,
  YIELD_LEAD,
} from '../sql/coordination.js';

/** How long an occurrence that was taken is remembered. */
export const OCCURRENCE_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Names of triggers and occurrences are text of any length: the row is found by a digest of both,
 * in which neither can pass for the other.
 */
const occurrenceKey = (triggerId: string, occurrence: string): string =>
  createHash('sha256')
    .update(JSON.stringify([triggerId, occurrence]))
    .digest('hex');

/** Text of an account that nobody has asked about yet. */
const newLimiterText = ({ stated }: LimiterAsk): string => JSON.stringify(newLimiter(stated));

/** One exchange over the text of a row. */
function exchange(
  text: string,
  ask: LimiterAsk,
  nowMs: number,
): { readonly text: string; readonly answer: LimiterAnswer } {
  const { state, answer } = askLimiter(JSON.parse(text) as LimiterState, ask, nowMs);
  return { text: JSON.stringify(state), answer };
}

interface SeenLead {
  readonly holder: string;
  readonly lead_until: string;
}

/** Who of the servers of one database does what. */
export function createCoordination(
  { now, read, write }: Programs,
  dialect: Pick<SqlDialect, 'lock' | 'goes'>,
): Pick<ServingStore, 'takeOccurrence' | 'lead' | 'yieldLead' | 'shareLimit'> {
  const [DROP_OCCURRENCES, LOCK_LIMITER] = [dropOccurrences(dialect), lockLimiter(dialect)];
  return {
    takeOccurrence: async (triggerId, occurrence) => {
      const key = occurrenceKey(triggerId, occurrence);
      if ((await read(() => get(IS_TAKEN, { key }))) !== undefined) return false;
      return write('serving.occurrence', function* (at) {
        yield* run(DROP_OCCURRENCES, { before: at(-OCCURRENCE_MS) });
        return (yield* run(TAKE_OCCURRENCE, { key, triggerId, occurrence, now: at() })) > 0;
      });
    },
    lead: async (name, holder, ttlMs) => {
      const seen = await read(() => get<SeenLead>(GET_LEAD, { name }));
      if (seen !== undefined && seen.holder !== holder && seen.lead_until > (await now())) return false;
      return write('serving.lead', function* (at) {
        return (yield* run(TAKE_LEAD, { name, holder, until: at(ttlMs), now: at() })) > 0;
      });
    },
    yieldLead: (name, holder) =>
      write('serving.lead', function* () {
        yield* run(YIELD_LEAD, { name, holder });
      }),
    // A limit that is lost is found out again.
    shareLimit: (account, ask) =>
      write(null, function* (at) {
        const before = yield* lockedLimiter(LOCK_LIMITER, account, newLimiterText(ask));
        const { text, answer } = exchange(before, ask, Date.parse(at()));
        yield* run(SET_LIMITER, { account, state: text });
        return answer;
      }),
  };
}

function* lockedLimiter(lock: string, account: string, state: string): Program<string> {
  const seen = yield* get<{ state: string }>(lock, { account });
  if (seen !== undefined) return seen.state;
  yield* run(ADD_LIMITER, { account, state });
  return (yield* get<{ state: string }>(lock, { account }))?.state ?? state;
}
