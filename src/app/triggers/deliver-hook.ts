import { isKitError, KitError } from '../../domain/errors.js';
import type { Submitter } from '../../domain/job.js';
import type { HttpTier } from '../../domain/ports/http.js';
import type { DeliveryVerdict, TriggerSpec } from '../../domain/ports/triggers.js';
import { assertNever } from '../../lib/assert-never.js';
import { hintFor } from '../../lib/nearest.js';
import { misfitsAt } from '../../view/input-misfits.js';
import { eventOf, type FireDeps, refusalOf, sourceOf, submitTarget, submitterOf, targetName } from './fire-targets.js';
import { eventBodyOf, inputOf } from './hook-body.js';
import { type HookMatch, matchHook } from './hook-match.js';
import { type OpenedTrigger, openTrigger } from './open-trigger.js';
import { type RecordDeps, recordFiring } from './record-firing.js';
import type { TriggerWorld } from './trigger-world.js';
import type { FiredTarget, HookAnswer, HookDelivery } from './triggers-app.js';

export interface HookDeps extends FireDeps, RecordDeps {}

/** What answers at a name, with the types of its triggers loaded. */
interface FoundHook {
  readonly match: HookMatch;
  readonly opened: ReadonlyMap<TriggerSpec, OpenedTrigger>;
}

async function findHook({ workspace, plugins }: TriggerWorld, name: string): Promise<FoundHook> {
  const mayTakeHooks = (trigger: TriggerSpec): boolean => trigger.type === 'webhook' || trigger.type === 'plugin';
  const opened = new Map<TriggerSpec, OpenedTrigger>();
  for (const trigger of [...workspace.triggerSpecs.values()].filter(mayTakeHooks))
    opened.set(trigger, await openTrigger(plugins, trigger));
  const takesHooks = (trigger: TriggerSpec): boolean => trigger.type === 'webhook' || verifies(opened.get(trigger));
  return { match: matchHook(workspace, name, (trigger) => opened.has(trigger) && takesHooks(trigger)), opened };
}

const verifies = (opened: OpenedTrigger | undefined): boolean =>
  opened?.ok === true && opened.type.verify !== undefined;

const triggersOf = (match: HookMatch): readonly TriggerSpec[] => {
  if (match.kind === 'topology') return match.matches.map(({ trigger }) => trigger);
  return match.kind === 'events' ? [match.trigger] : [];
};

/**
 * Public when there are triggers and all of them verify; one that could not be loaded does not, so
 * its found stays behind the key.
 */
function tierOf({ match, opened }: FoundHook): HttpTier {
  const triggers = triggersOf(match);
  return triggers.length > 0 && triggers.every((trigger) => verifies(opened.get(trigger))) ? 'public' : 'run';
}

export const hookTierOf = async (world: TriggerWorld, name: string): Promise<HttpTier> =>
  tierOf(await findHook(world, name));

async function verdictOf(
  deps: HookDeps,
  opened: OpenedTrigger | undefined,
  { delivery }: HookDelivery,
): Promise<DeliveryVerdict> {
  if (opened?.ok !== true) return { kind: 'unavailable', detail: opened?.reason ?? 'the trigger is not loaded' };
  // Behind the key: whoever holds one is proof enough.
  if (opened.type.verify === undefined) return { kind: 'verified' };
  try {
    return await opened.type.verify(delivery);
  } catch (error) {
    deps.log.error('a trigger could not verify a delivery', {
      error: isKitError(error) ? error.message : String(error),
    });
    return { kind: 'unavailable', detail: 'the trigger failed to verify the delivery' };
  }
}

interface Verified {
  readonly trigger: TriggerSpec;
  /** The trigger itself where it verified the delivery, else the holder of the key. */
  readonly submittedBy: Submitter;
  /** Of the verdict. */
  readonly once: string | null;
}

/**
 * The first trigger that the delivery convinces, those that verify first
 * (docs/design/decisions.md#hooks). Throws KIT_SIGNATURE_INVALID, KIT_SECRET_MISSING.
 */
async function verifiedBy(deps: HookDeps, { match, opened }: FoundHook, hook: HookDelivery): Promise<Verified> {
  const asked = triggersOf(match).toSorted((a, b) => Number(verifies(opened.get(b))) - Number(verifies(opened.get(a))));
  const verdicts: DeliveryVerdict[] = [];
  for (const trigger of asked) {
    const verdict = await verdictOf(deps, opened.get(trigger), hook);
    if (verdict.kind === 'verified')
      return {
        trigger,
        submittedBy: authorOf(trigger, verifies(opened.get(trigger)), hook),
        once: verdict.once ?? null,
      };
    verdicts.push(verdict);
  }
  const unavailable = verdicts.find(({ kind }) => kind === 'unavailable');
  if (unavailable?.kind === 'unavailable')
    throw new KitError('KIT_SECRET_MISSING', `the hook cannot verify deliveries: ${unavailable.detail}`);
  const refused = verdicts.find((verdict) => verdict.kind === 'refused');
  throw new KitError(
    'KIT_SIGNATURE_INVALID',
    refused?.kind === 'refused' ? refused.detail : 'the delivery is not verified',
  );
}

const authorOf = ({ id }: TriggerSpec, isProven: boolean, { caller }: HookDelivery): Submitter =>
  isProven || caller === null ? submitterOf(id) : caller;

/** Takes one delivery: verified over its bytes before anything of it is read. */
export async function deliverHook(deps: HookDeps, world: TriggerWorld, hook: HookDelivery): Promise<HookAnswer> {
  const found = await findHook(world, hook.name);
  // The found may have changed since its tier was asked for: whoever came without a key goes no
  // further than the found that is.
  if (hook.caller === null && tierOf(found) !== 'public')
    throw new KitError('KIT_UNAUTHENTICATED', `/hooks/${hook.name} asks for a token`);
  const { match } = found;
  switch (match.kind) {
    case 'topology': {
      const { trigger, submittedBy, once } = await verifiedBy(deps, found, hook);
      const topology = match.matches.find((one) => one.trigger === trigger)?.topology ?? hook.name;
      return startRun(deps, world, { hook, topology, trigger, submittedBy, once });
    }
    case 'events':
      await verifiedBy(deps, found, hook);
      return emit(deps, world, { hook, trigger: match.trigger });
    case 'bare':
      return startRun(deps, world, {
        hook,
        topology: match.topology,
        trigger: null,
        submittedBy: hook.caller ?? submitterOf(hook.name),
        once: null,
      });
    case 'disabled':
      throw new KitError(
        'KIT_TRIGGER_UNKNOWN',
        `nothing answers at /hooks/${hook.name}: ${match.triggers.join(', ')} is disabled`,
      );
    case 'unknown':
      throw new KitError('KIT_TOPOLOGY_UNKNOWN', `no topology and no event trigger is called ${hook.name}`, {
        hint: hintOf(world, hook.name),
      });
    default:
      return assertNever(match);
  }
}

function hintOf({ workspace }: TriggerWorld, name: string): string {
  const topologies = [...workspace.topologies.values()].map((topology) => topology.name);
  return hintFor(name, topologies, { fallback: 'GET /triggers lists what can be fired.' });
}

/** The trace of whoever delivered it. */
function traceOf({ delivery }: HookDelivery): { readonly traceParent?: string } {
  const { traceparent } = delivery.headers;
  return traceparent === undefined ? {} : { traceParent: traceparent };
}

interface HookRun extends Pick<Verified, 'submittedBy' | 'once'> {
  readonly hook: HookDelivery;
  readonly topology: string;
  /** Null: no webhook names the topology. */
  readonly trigger: TriggerSpec | null;
}

async function startRun(deps: HookDeps, world: TriggerWorld, run: HookRun): Promise<HookAnswer> {
  const { hook, topology, trigger, submittedBy, once } = run;
  const record = async (outcome: Pick<FiredTarget, 'jobId' | 'refusal'>): Promise<void> => {
    if (trigger === null) return;
    const by = hook.caller;
    await recordFiring(deps, await world.stores(), {
      trigger,
      occurrence: null,
      by,
      targets: [{ target: topology, ...outcome }],
    });
  };
  try {
    const source = trigger === null ? 'serve' : sourceOf(trigger.id);
    const { input, place } = inputOf(hook.delivery.body);
    const { job, repeated } = await submitTarget(deps, {
      workspace: hook.workspace,
      topology,
      input,
      submittedBy,
      source,
      once: trigger === null || once === null ? null : { clientId: source, key: `${topology}/${once}` },
      ...traceOf(hook),
    }).catch(misfitsAt(place));
    // It fired when it came first.
    if (!repeated) await record({ jobId: job.id, refusal: null });
    return { kind: 'run', job };
  } catch (error) {
    await record({ jobId: null, refusal: refusalOf(error) });
    throw error;
  }
}

async function emit(
  deps: HookDeps,
  world: TriggerWorld,
  { hook, trigger }: { readonly hook: HookDelivery; readonly trigger: TriggerSpec },
): Promise<HookAnswer> {
  const body = eventBodyOf(hook.delivery.body);
  const targets = trigger.targets.filter((target) => target.kind === 'event');
  // All or nothing: every correlation id is there before the first event goes out.
  const events = await Promise.all(
    targets.map((target) => eventOf({ workspace: hook.workspace, trigger: trigger.id, target, body })),
  );
  for (const event of events) await deps.emit({ ...event, ...traceOf(hook) });
  const fired = targets.map((target) => ({ target: targetName(target), jobId: null, refusal: null }));
  await recordFiring(deps, await world.stores(), {
    trigger,
    occurrence: null,
    by: hook.caller,
    targets: fired,
  });
  return {
    kind: 'events',
    trigger: trigger.id,
    source: `webhook:${trigger.id}`,
    signals: events.map(({ pipeline, correlationId, event }) => ({ pipeline, correlationId, event })),
  };
}
