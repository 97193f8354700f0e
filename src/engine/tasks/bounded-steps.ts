import type { StepOutcome } from '../../domain/journal.js';
import type { Json } from '../../domain/json.js';
import { isParked, type Parked } from '../park.js';
import { thrownEnd } from '../step-ends.js';
import { StepFailure } from '../step-failure.js';
import type { PeopleStep, StepEnd, StepSpec } from '../step-types.js';
import { type StepFn, Steps } from '../steps.js';
import { TaskOver } from '../unfinished.js';

export const TASK_TIMEOUT = 'task_timeout';

/**
 * Steps of one activation with a bound of time. The first that it cuts off is recorded so, and ends
 * the activation, whether it is cut off now or was before: what comes of an activation is told by
 * its steps alone.
 */
export class BoundedSteps extends Steps {
  override admit(): Promise<void> | null {
    return this.#cut() === null ? super.admit() : null;
  }

  override async run<T extends Json>(spec: StepSpec, fn: StepFn<StepEnd<T>>): Promise<StepOutcome<T>> {
    const cut = this.#cut();
    return heard(cut === null ? await super.run(spec, fn) : await super.answer<T>(spec, () => thrownEnd(cut)));
  }

  override async scope<T extends Json>(
    spec: StepSpec,
    fn: StepFn<StepEnd<T> | Parked>,
  ): Promise<StepOutcome<T> | Parked> {
    const cut = this.#cut();
    return heard(cut === null ? await super.scope(spec, fn) : await super.answer<T>(spec, () => thrownEnd(cut)));
  }

  override async ask<T extends Json>(spec: StepSpec, people: PeopleStep<T>): Promise<StepOutcome<T> | Parked> {
    const cut = this.#cut();
    return heard(cut === null ? await super.ask(spec, people) : await super.answer<T>(spec, () => thrownEnd(cut)));
  }

  override async answer<T extends Json>(spec: StepSpec, end: () => StepEnd<T>): Promise<StepOutcome<T>> {
    const cut = this.#cut();
    return heard(await super.answer<T>(spec, cut === null ? end : () => thrownEnd(cut)));
  }

  #cut(): StepFailure | null {
    return this.deps.cutOff?.() ?? null;
  }
}

function heard<E extends StepOutcome<Json> | Parked>(outcome: E): E {
  if (isParked(outcome) || outcome.status !== 'failed' || outcome.reason !== TASK_TIMEOUT) return outcome;
  throw new TaskOver(new StepFailure(TASK_TIMEOUT, outcome.message));
}
