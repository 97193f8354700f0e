import type { LoginOver } from '../domain/consent.js';
import type { StepFailure } from './step-failure.js';

/**
 * Why a step or activation was left without a result. Thrown, and caught only where concurrent
 * children are joined and at the root: everything that is *not* one of these is recorded as an
 * outcome (docs/design/journal.md#outcomes).
 */
export type UnfinishedReason =
  /** A person asked for a stop; seen at an agent boundary. */
  | 'stop'
  /** The task scope was aborted: a sibling failed, a timeout, a breach, the second Ctrl-C. */
  | 'abort'
  /** The fence no longer holds: another worker owns the run. */
  | 'lease_lost'
  /**
   * A run that it asked for has stopped by itself, and goes on only once the cause is fixed: so
   * does this one.
   */
  | 'child_stopped'
  /** A provider is down: the step was not done, and the run waits before it tries again. */
  | 'outage'
  /**
   * The lease ran out while this process stood still, and ended a process of the run; whether it is
   * lost, the store says.
   */
  | 'lease_over'
  /** A login is over: the run fails with this code, whatever its agents would make of it. */
  | LoginOver;

export class Unfinished extends Error {
  readonly reason: UnfinishedReason;

  /** What a person is told, where the reason does not say it all. */
  readonly detail: string | null;

  constructor(reason: UnfinishedReason, detail: string | null = null) {
    super(`step left unfinished: ${detail ?? reason}`);
    this.name = 'Unfinished';
    this.reason = reason;
    this.detail = detail;
  }
}

/**
 * The working time of an agent is used up: nothing more of it is carried out, what runs beside it
 * goes on.
 */
export class TaskOver extends Unfinished {
  readonly failure: StepFailure;

  constructor(failure: StepFailure) {
    super('abort');
    this.failure = failure;
  }
}

/**
 * The outcome that an interruption is for what it interrupts (`StepsDeps.cutOff`); null = it is
 * none, and goes on up.
 */
export function cutOffBy(error: unknown, deps: { readonly cutOff?: () => StepFailure | null }): StepFailure | null {
  if (error instanceof TaskOver) return error.failure;
  return error instanceof Unfinished && error.reason === 'abort' ? (deps.cutOff?.() ?? null) : null;
}
