import { addUsage } from '../../domain/fold-usage.js';
import type { Usage } from '../../domain/job.js';
import type { Effects } from '../../domain/journal.js';
import type { Json } from '../../domain/json.js';
import type { SkillConstraints } from '../../domain/linked-skill.js';
import { CutOff } from '../../domain/ports/system.js';
import { onAbort } from '../../lib/on-abort.js';
import { isParked, type Parked } from '../park.js';
import { withSignal } from '../scopes.js';
import { afterLimit } from '../second-hand.js';
import type { RunServices } from '../services.js';
import { failedEnd } from '../step-ends.js';
import type { StepEnd } from '../step-types.js';
import type { SkillCall } from './skill-call.js';

type Answer = StepEnd<{ output: Json }> | Parked;
type Attempt = (services: RunServices, call: SkillCall) => Promise<Answer>;

/**
 * A run that waits holds its slot: no pause between two attempts is longer
 * (docs/design/journal.md#waiting).
 */
const LONGEST_PAUSE_MS = 10_000;

/** Refusals say the same however often they are asked for. */
const FINAL = (reason: string): boolean =>
  ['denied', 'invalid_arguments', 'in_doubt', 'strategy_unknown', 'not_held'].includes(reason) ||
  reason.startsWith('limit.') ||
  reason.startsWith('KIT_');

/** Only what changes nothing outside is done again by itself. */
const isRepeatable = (effects: Effects): boolean => effects === 'none' || effects === 'read';

/**
 * `constraints` of a skill around its implementation: each attempt ends after the time limit as the
 * failed call `timeout`, and one that failed is made again, with pauses, where the skill changes
 * nothing outside. All attempts are one step: it has one result and one event.
 */
export async function runBounded(services: RunServices, call: SkillCall, attempt: Attempt): Promise<Answer> {
  const { constraints, effects } = call.skill;
  if (constraints === undefined) return attempt(services, call);
  const retries = isRepeatable(effects) ? constraints.retries : 0;
  let used: Usage | null = null;
  for (let done = 0; ; done += 1) {
    const again = done === 0 ? call : { ...call, key: `${call.key}/r${done}` };
    const answered = await within(services, constraints.timeoutMs, (bounded) => attempt(bounded, again));
    if (isParked(answered)) return answered;
    const usage: Usage | null =
      answered.usage == null || used === null ? (answered.usage ?? used) : addUsage(used, answered.usage);
    const answer = usage === null ? answered : { ...answered, usage };
    used = usage;
    if (answer.outcome.status === 'ok' || done >= retries || FINAL(answer.outcome.reason)) return answer;
    const pauseMs = pauseOf(constraints.backoff, done);
    if (pauseMs > 0) await (services.pause ?? services.clock.sleep)(pauseMs, services.signal);
  }
}

/** Milliseconds before attempt `done + 2`. */
export function pauseOf(backoff: SkillConstraints['backoff'], done: number): number {
  switch (backoff) {
    case 'none':
      return 0;
    case 'linear':
      return Math.min(LONGEST_PAUSE_MS, 1000 * (done + 1));
    case 'exponential':
      return Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** done);
  }
}

async function within(
  services: RunServices,
  timeoutMs: number | null,
  run: (bounded: RunServices) => Promise<Answer>,
): Promise<Answer> {
  if (timeoutMs === null) return run(services);
  const late = new AbortController();
  const over = afterLimit(services.clock, timeoutMs, () => late.abort(new CutOff('timeout')));
  const unsubscribe = onAbort(services.signal, over);
  try {
    return await run(withSignal(services, late.signal));
  } catch (error) {
    // What its own limit has cut off is a failed call; what ends the run is not its to answer.
    if (!late.signal.aborted || services.signal.aborted) throw error;
    return failedEnd('timeout', `the call took longer than ${timeoutMs} ms`);
  } finally {
    unsubscribe();
    over();
  }
}
