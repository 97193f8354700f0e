import { isKitError, KitError } from '../../domain/errors.js';
import type { JobSource, Submitter } from '../../domain/job.js';
import type { Json } from '../../domain/json.js';
import type { Signal } from '../../domain/ports/sinks.js';
import type { Log } from '../../domain/ports/system.js';
import type { TriggerSpec, TriggerTarget } from '../../domain/ports/triggers.js';
import { isDeeper, MAX_DEPTH } from '../../lib/is-deeper.js';
import { isObject } from '../../lib/json.js';
import { correlationIdIn } from '../events/correlation-id.js';
import type { ServeApp, ServerRun, SubmittedRun } from '../serve/serve-app.js';
import type { FiredTarget } from './triggers-app.js';

/** What starting targets needs. */
export interface FireDeps {
  readonly log: Log;
  readonly serve: Pick<ServeApp, 'submit'>;
  /**
   * Hands an event to the application's listener and audits the attempt. Throws KIT_NO_LISTENER,
   * KIT_SIGNAL_FAILED.
   */
  readonly emit: (event: EmittedEvent) => Promise<unknown>;
}

/** An event that a trigger emits; `webhook:<trigger>` is its source. */
export interface EmittedEvent extends Pick<Signal, 'event' | 'correlationId' | 'sourceEventId'> {
  readonly workspace: string;
  readonly trigger: string;
  readonly pipeline: string;
  /** Header `traceparent` of the delivery; absent: none came. */
  readonly traceParent?: string;
}

/** One firing of one trigger. */
export interface Shot {
  readonly workspace: string;
  readonly trigger: TriggerSpec;
  readonly input: Json;
  readonly submittedBy: Submitter;
}

/**
 * Who runs that fire by themselves belong to; nobody can prove to be it
 * (docs/design/decisions.md#submitter).
 */
export const submitterOf = (trigger: string): Submitter => ({ identity: `trigger:${trigger}`, assurance: 'system' });

export const sourceOf = (trigger: string): JobSource => `trigger:${trigger}`;

export const targetName = (target: TriggerTarget): string =>
  target.kind === 'topology' ? target.topology : `${target.pipeline}:${target.emit}`;

/**
 * Submits one run of a trigger's firing, or of a hook without a trigger. Throws what
 * `ServeApp.submit` throws.
 */
export async function submitTarget(
  deps: Pick<FireDeps, 'serve'>,
  run: Pick<ServerRun, 'workspace' | 'topology' | 'input' | 'submittedBy' | 'source' | 'traceParent' | 'once'>,
): Promise<Pick<SubmittedRun, 'job' | 'repeated'>> {
  return deps.serve.submit({
    ...run,
    attachments: [],
    correlationId: null,
    labels: {},
    supersedes: null,
  });
}

type EventTarget = Extract<TriggerTarget, { readonly kind: 'event' }>;

/**
 * The event of a target, with the correlation id that the body names. Throws KIT_REQUEST_MALFORMED
 * when it names none.
 */
export async function eventOf(from: {
  readonly workspace: string;
  readonly trigger: string;
  readonly target: EventTarget;
  readonly body: Json;
}): Promise<EmittedEvent> {
  const { workspace, trigger, target, body } = from;
  if (isDeeper(body))
    throw new KitError('KIT_REQUEST_MALFORMED', `what was sent is nested more than ${MAX_DEPTH} levels deep`);
  const found = await correlationIdIn(body, target.correlationId);
  if (!found.ok)
    throw new KitError('KIT_REQUEST_MALFORMED', found.message, {
      hint: 'Send a JSON object that holds the correlation id.',
    });
  const sourceEventId = isObject(body) && typeof body.source_event_id === 'string' ? body.source_event_id : null;
  return { workspace, trigger, pipeline: target.pipeline, event: target.emit, correlationId: found.id, sourceEventId };
}

/** A defect tells nothing of the inside: its words are for the log. */
export function refusalOf(error: unknown): NonNullable<FiredTarget['refusal']> {
  return isKitError(error)
    ? { code: error.code, message: error.message, data: error.data }
    : { code: 'KIT_INTERNAL', message: 'the server failed to start it', data: {} };
}

async function fireOne(deps: FireDeps, shot: Shot, target: TriggerTarget): Promise<FiredTarget> {
  const name = targetName(target);
  try {
    if (target.kind === 'topology') {
      const { workspace, trigger, input, submittedBy } = shot;
      const { job } = await submitTarget(deps, {
        workspace,
        topology: target.topology,
        input,
        submittedBy,
        source: sourceOf(trigger.id),
        once: null,
      });
      return { target: name, jobId: job.id, refusal: null };
    }
    await deps.emit(await eventOf({ workspace: shot.workspace, trigger: shot.trigger.id, target, body: shot.input }));
    return { target: name, jobId: null, refusal: null };
  } catch (error) {
    const refusal = refusalOf(error);
    deps.log.warn(`trigger ${shot.trigger.id} could not start ${name}: ${refusal.message}`, {
      trigger: shot.trigger.id,
      code: refusal.code,
      error,
    });
    return { target: name, jobId: null, refusal };
  }
}

/** Starts every target at once; a refusal of one is a value and stops no other. */
export const fireTargets = (deps: FireDeps, shot: Shot): Promise<readonly FiredTarget[]> =>
  Promise.all(shot.trigger.targets.map((target) => fireOne(deps, shot, target)));
