import type { StepRow } from '../domain/journal.js';
import type { Decision } from '../domain/ports/governance.js';
import type { Soon } from '../lib/soon.js';
import { ABORTED, raceAbort } from './race-abort.js';
import type { StepSpec, StepsDeps } from './step-types.js';
import { Unfinished } from './unfinished.js';

/**
 * Nothing new starts in an aborted scope, nor in a replay check: it waits for the end there. Null:
 * at once.
 */
export function entryOf({ signal, effects }: Pick<StepsDeps, 'signal' | 'effects'>): Promise<void> | null {
  if (signal.aborted) throw new Unfinished('abort');
  return effects === 'forbid' ? endOfScope(signal) : null;
}

async function endOfScope(signal: AbortSignal): Promise<never> {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  throw new Unfinished('abort');
}

/**
 * Asks who decides, live: an answer that is at hand is given as it is. No answer is a denial;
 * nobody waits for one once the scope has ended.
 */
export function askWhoDecides(authorize: NonNullable<StepSpec['authorize']>, signal: AbortSignal): Soon<Decision> {
  const answer = asked(authorize);
  if (answer instanceof Promise) return decided(answer, signal);
  if (signal.aborted) throw new Unfinished('abort');
  return answer;
}

/** What is thrown before there is a promise is the same as a rejection. */
function asked(authorize: NonNullable<StepSpec['authorize']>): Soon<Decision> {
  try {
    return authorize();
  } catch {
    return noAnswer();
  }
}

async function decided(answer: Promise<Decision>, signal: AbortSignal): Promise<Decision> {
  const decision = await raceAbort(answer.catch(noAnswer), signal);
  if (decision === ABORTED || signal.aborted) throw new Unfinished('abort');
  return decision;
}

const noAnswer = (): Decision => ({ verdict: 'deny', reason: 'who decides could not be asked', needs: [] });

type Notes = StepRow['notes'];

/** Nobody decided. */
export const NO_NOTES: Notes = Object.freeze({});
const ALLOWED: Notes = Object.freeze({ decision: Object.freeze({ verdict: 'allow' }) });

/**
 * What a row notes of who decided about its step. A yes without more says the same in every row:
 * the rows of all runs in memory share it.
 */
export function decisionNote(decision: Decision | null): Notes {
  if (decision === null) return NO_NOTES;
  const isPlainYes = decision.verdict === 'allow' && Object.keys(decision).length === 1;
  return isPlainYes ? ALLOWED : { decision };
}
