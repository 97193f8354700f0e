import { isKitError, KitError, messageOf } from '../../domain/errors.js';
import type { RoleDirectory } from '../../domain/gates.js';
import type { EventPayloads } from '../../domain/generated/events.js';
import { nameBeside } from '../../domain/job.js';
import type { Signal, SignalListener } from '../../domain/ports/sinks.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock, Ids } from '../../domain/ports/system.js';
import { isMember, personOf } from '../../govern/approval/people.js';
import { acceptTraceParent } from '../../lib/trace-context.js';
import { entryEvent } from '../entry-events.js';
import type { SendSignal, SentSignal } from './events-app.js';

/** Time that a listener has for one event. */
const LISTENER_MS = 10_000;

/** What handing on an event needs of the world. */
export interface SignalDeps {
  readonly stores: Pick<Stores, 'events'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly readRoles: () => Promise<RoleDirectory>;
  /** The application's one listener; null = there is none. A throw is a failed attempt. */
  readonly listener: () => Promise<SignalListener | null>;
  /** Takes known secrets out of what was sent, for the log alone: the listener gets it as it is. */
  readonly mask: (text: string) => string;
}

type Outcome = EventPayloads['pipeline.ingress']['outcome'];

/**
 * See `EventsApp.signal`: every entry point that takes events for the application calls this and
 * nothing else.
 */
export async function sendSignal(deps: SignalDeps, ask: SendSignal): Promise<SentSignal> {
  const signal = signalOf(ask);
  const refusal = await whyDenied(deps, ask);
  if (refusal !== null) {
    await record(deps, ask, 'denied', refusal.message);
    throw refusal;
  }
  try {
    const listener = await deps.listener();
    if (listener === null) throw new KitError('KIT_NO_LISTENER', 'this application listens to no events');
    await inTime(deps.clock, listener.deliver(signal));
  } catch (error) {
    const why = messageOf(error);
    const isAbsent = isKitError(error) && error.code === 'KIT_NO_LISTENER';
    await record(deps, ask, isAbsent ? 'no_listener' : 'failed', why);
    if (isAbsent) throw error;
    throw new KitError(
      'KIT_SIGNAL_FAILED',
      `the listener did not take ${JSON.stringify(signal.event)}: ${deps.mask(why)}`,
      { cause: error },
    );
  }
  await record(deps, ask, 'delivered', null);
  return signal;
}

function signalOf({ correlationId, event, sourceEventId, mode, pipeline, traceParent, from }: SendSignal): Signal {
  const source = from.kind === 'caller' ? `api:${from.identity}` : `webhook:${from.id}`;
  const accepted = acceptTraceParent(traceParent);
  return {
    correlationId,
    event,
    sourceEventId,
    mode,
    source,
    pipeline,
    ...(accepted === null ? {} : { traceParent: accepted }),
  };
}

/**
 * `advance` and `skip` move a flow as a person would: a role confers them, no token and no trigger
 * does (docs/design/decisions.md#signals).
 */
async function whyDenied({ readRoles }: SignalDeps, { mode, from }: SendSignal): Promise<KitError | null> {
  if (mode === 'emit') return null;
  const scope = `pipeline:${mode}`;
  if (from.kind === 'trigger') return denied(`a trigger cannot hold ${scope}; it may emit`);
  const roles = await readRoles();
  const person = personOf(roles, from.identity);
  if (roles.roles.some((role) => role.scopes.includes(scope) && isMember(roles, role, person))) return null;
  return denied(`${JSON.stringify(from.identity)} is in no role that has ${scope}`);
}

const denied = (message: string): KitError => new KitError('KIT_APPROVAL_DENIED', message);

/** A listener that never answers must not hold the request for ever. */
async function inTime(clock: Clock, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const late = clock
    .sleep(LISTENER_MS, over.signal)
    .then(() => Promise.reject(new Error(`it did not answer within ${LISTENER_MS / 1000} s`)));
  late.catch(() => undefined);
  try {
    await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}

async function record(deps: SignalDeps, ask: SendSignal, outcome: Outcome, reason: string | null): Promise<void> {
  const { mask } = deps;
  const { source, mode, pipeline } = signalOf(ask);
  const payload = {
    correlation_id: mask(ask.correlationId),
    event: mask(ask.event),
    source_event_id: ask.sourceEventId === null ? null : mask(ask.sourceEventId),
    mode,
    source,
    pipeline,
    identity: ask.from.kind === 'caller' ? ask.from.identity : null,
    ...(ask.from.kind === 'caller' ? nameBeside(ask.from) : {}),
    outcome,
    reason: reason === null ? null : mask(reason),
  };
  await deps.stores.events.append(entryEvent(deps, { type: 'pipeline.ingress', topology: '', payload }), {});
}
