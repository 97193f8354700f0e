import { isKitError, messageOf } from '../domain/errors.js';
import type { StepRow } from '../domain/journal.js';
import type { Json } from '../domain/json.js';
import type { Decision } from '../domain/ports/governance.js';
import type { NewEvent } from './new-event.js';
import { isNotDone } from './outage.js';
import { StepFailure } from './step-failure.js';
import type { Breach, StepEnd, StepSpec } from './step-types.js';

/** A takeover carries out once more what it found in doubt, and says so. */
export function repeatedEvent(spec: StepSpec, row: StepRow): NewEvent {
  const lost = row.notes.lost;
  return {
    type: 'step.repeated',
    agentId: spec.agentId,
    skillId: null,
    payload: {
      key: row.key,
      kind: row.kind,
      step_id: row.stepId,
      effects: row.effects,
      attempt: row.attempt,
      lost: typeof lost === 'string' ? lost : null,
    },
  };
}

/** A limit that is broken is an outcome of the step that would break it, or broke it. */
export function breachEnd({ agentId }: Pick<StepSpec, 'agentId'>, breach: Breach): StepEnd<never> {
  return {
    outcome: {
      status: 'failed',
      reason: `limit.${breach.limit}`,
      message: `${breach.limit} is ${breach.limitValue}, ${breach.actual === null ? 'and the cost so far is not known' : `this would be ${breach.actual}`}`,
      data: { limit: breach.limit, limit_value: breach.limitValue, actual: breach.actual },
    },
    events: [
      {
        type: 'limit.breached',
        agentId,
        skillId: null,
        payload: { limit: breach.limit, limit_value: breach.limitValue, actual: breach.actual },
      },
    ],
  };
}

/** Anything but a clear yes. */
export function deniedEnd(spec: StepSpec, decision: Extract<Decision, { verdict: 'deny' | 'ask' }>): StepEnd<never> {
  const needs = decision.verdict === 'deny' ? decision.needs : [];
  return {
    outcome: { status: 'failed', reason: 'denied', message: decision.reason, data: { needs } },
    events: spec.onDenied?.(decision) ?? [],
  };
}

/**
 * A step that a crash left open and that is not carried out again: whether it took effect stays
 * unknown, and is said.
 */
export function inDoubtEvent(spec: Pick<StepSpec, 'key' | 'kind' | 'agentId' | 'onInDoubt'>, row: StepRow): NewEvent {
  return {
    type: 'step.in_doubt',
    agentId: spec.agentId,
    skillId: null,
    payload: {
      key: spec.key,
      kind: spec.kind,
      step_id: row.stepId,
      effects: row.effects,
      action: spec.onInDoubt === 'ask' ? 'ask' : 'fail',
    },
  };
}

/**
 * What the caller saw is recorded, a bug of a plugin or of kit included
 * (docs/design/journal.md#outcomes): by code where there is one.
 */
export function thrownEnd(error: unknown): StepEnd<never> {
  const reason = error instanceof StepFailure ? error.reason : isKitError(error) ? error.code : 'internal_error';
  return { outcome: { status: 'failed', reason, message: messageOf(error) } };
}

/** An end that records a failure as data: a machine-readable reason and a sentence. */
export const failedEnd = (reason: string, message: string, data: Json = null): StepEnd<never> => ({
  outcome: { status: 'failed', reason, message, data },
});

/** Note of a row that was entered again: how far the events of its last such entry are numbered. */
export const EVENT_COUNT = 'events_told';

/**
 * A scope entered again numbers its events after those that its first entry can have written, and
 * after those of each entry since.
 */
export const countOf = ({ outcome, attempt, notes }: StepRow): number =>
  outcome === null ? Math.max(1000 * attempt, typeof notes[EVENT_COUNT] === 'number' ? notes[EVENT_COUNT] : 0) : 0;

/** Whether a step that a crash left open is answered, and not carried out again. */
export const answersInDoubt = (spec: StepSpec, row: StepRow): boolean =>
  !isNotDone(row) && (spec.onInDoubt !== 'repeat' || spec.effects === 'destructive');
