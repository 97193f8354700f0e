import type { Closed, Permit, PermitEnd, PermitWait, ProviderLimits } from '../domain/ports/limiter.js';
import type { ModelFailure } from '../domain/ports/model.js';
import { onAbort } from '../lib/on-abort.js';
import { LATER, settledSoon } from '../lib/settled-soon.js';
import type { ModelCall } from './model-ask.js';
import type { NewEvent } from './new-event.js';
import type { RunServices } from './services.js';
import type { StepContext } from './step-types.js';

/** A wait that is shorter is nobody's concern, and costs no commit. */
const REPORT_AFTER_MS = 1_000;

/** What becomes of a request; an embedding ends as an answer does. */
type Ended = { readonly ok: true } | Refused;
type Refused = { readonly ok: false; readonly failure: ModelFailure };

interface Asking {
  readonly call: Pick<ModelCall, 'key' | 'agentId' | 'skillId'>;
  readonly context: StepContext;
  readonly limits: ProviderLimits;
  /** Which try of the step, from 1. */
  readonly tries: number;
}

/**
 * A longer pause of the provider is the call's result: the run waits for it without a slot, as for
 * any outage (docs/design/journal.md#outages).
 */
const LONGEST_CLOSED_MS = 10_000;

/** Sends a request once its account takes one more, and tells the limiter what came of it. */
export async function onceAdmitted<T extends Ended>(
  services: RunServices,
  asking: Asking,
  send: (onLimit: Permit['report']) => Promise<T>,
): Promise<T | Refused> {
  const permit = await permitFor(services, asking);
  // Who ended the wait is looked at by the caller.
  if (permit === null) return { ok: false, failure: closedResult({ closedForMs: 0 }) };
  if (!('end' in permit)) return { ok: false, failure: closedResult(permit) };
  let end: PermitEnd = { type: 'failed' };
  try {
    const result = await send((limit) => permit.report(limit));
    end = endOf(result);
    return result;
  } finally {
    permit.end(end);
  }
}

/**
 * Waits until the account takes one more request; null = the run, or a person, ended the wait. Who
 * waits for more than a moment says so: `step.waiting`, then `step.admitted`.
 */
async function permitFor(services: RunServices, asking: Asking): Promise<Permit | Closed | null> {
  const { limiter } = services;
  if (limiter === undefined) throw new Error('there is no limiter');
  const { limits } = asking;
  const scope = new AbortController();
  const asked = limiter.permit({ limits, signal: scope.signal, longestClosedMs: LONGEST_CLOSED_MS });
  const soon = await settledSoon(asked);
  return soon === LATER
    ? waitFor(services, asking, { asked, scope, reason: () => limiter.waitOf(limits.account) })
    : soon;
}

interface Waiting {
  readonly asked: Promise<Permit | Closed>;
  readonly scope: AbortController;
  readonly reason: () => PermitWait;
}

async function waitFor(
  services: RunServices,
  asking: Asking,
  { asked, scope, reason }: Waiting,
): Promise<Permit | Closed | null> {
  const { clock, signal, stops } = services;
  const startedAtMs = clock.now();
  const unwatch = stops?.watch();
  const unsubscribes = [signal, stops?.signal].map((one) => onAbort(one, () => scope.abort(one?.reason)));
  const cancel = new AbortController();
  const isLong = clock.sleep(REPORT_AFTER_MS, cancel.signal).then(
    () => true,
    () => false,
  );
  try {
    const isLongWait = await Promise.race([asked.then(() => false), isLong]);
    if (isLongWait) await asking.context.emit(waitingEvent(asking, reason()));
    const permit = await asked;
    if (!isLongWait || !('end' in permit)) return permit;
    await asking.context.emit(admittedEvent(asking, Math.max(0, clock.now() - startedAtMs)));
    return permit;
  } catch (error) {
    const isEnded = scope.signal.aborted;
    giveBack(asked, scope);
    if (isEnded) return null;
    throw error;
  } finally {
    unwatch?.();
    for (const unsubscribe of unsubscribes) unsubscribe();
    cancel.abort(OVER);
  }
}

/** Nobody waits any more: a permit that was or will be given is given back. */
function giveBack(asked: Waiting['asked'], scope: AbortController): void {
  scope.abort(OVER);
  asked.then(
    (permit) => {
      if ('end' in permit) permit.end({ type: 'failed' });
    },
    () => undefined,
  );
}

/** An abort without a reason would make an error with a stack, for nobody. */
const OVER = 'over';

function waitingEvent({ call, tries }: Asking, { reason, untilMs }: PermitWait): NewEvent {
  const { key, agentId, skillId } = call;
  const until = untilMs === null ? null : new Date(untilMs).toISOString();
  return { type: 'step.waiting', agentId, skillId, payload: { key, reason: `limit.${reason}`, tries, until } };
}

function admittedEvent({ call }: Asking, waitedMs: number): NewEvent {
  const { key, agentId, skillId } = call;
  return { type: 'step.admitted', agentId, skillId, payload: { key, waited_ms: Math.max(0, Math.round(waitedMs)) } };
}

/** What came of the request, as the limiter hears it. */
function endOf(result: Ended): PermitEnd {
  if (result.ok) return { type: 'answered' };
  const { kind, retryAfterMs } = result.failure;
  return kind === 'rate_limited' ? { type: 'refused', retryAfterMs } : { type: 'failed' };
}

/** The provider asked for a pause that is longer than this call waits: no request is sent. */
const closedResult = ({ closedForMs }: Closed): ModelFailure => ({
  kind: 'rate_limited',
  message: `the provider limits the rate, and takes no request for ${Math.ceil(closedForMs / 1000)} s`,
  status: null,
  retryAfterMs: closedForMs,
});
