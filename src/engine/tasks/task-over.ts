import type { StepFailure } from '../step-failure.js';
import { Unfinished } from '../unfinished.js';

/** The working time of an agent is used up: nothing more of it is carried out, what runs beside it goes on. */
export class TaskOver extends Unfinished {
  readonly failure: StepFailure;

  constructor(failure: StepFailure) {
    super('abort');
    this.failure = failure;
  }
}
