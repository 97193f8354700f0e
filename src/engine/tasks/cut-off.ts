import type { StepFailure } from '../step-failure.js';
import type { StepsDeps } from '../step-types.js';
import { Unfinished } from '../unfinished.js';
import { TaskOver } from './task-over.js';

/** The outcome that an interruption is for what it interrupts; null = it is none, and goes on up. */
export function cutOffBy(error: unknown, deps: Pick<StepsDeps, 'cutOff'>): StepFailure | null {
  if (error instanceof TaskOver) return error.failure;
  return error instanceof Unfinished && error.reason === 'abort' ? (deps.cutOff?.() ?? null) : null;
}
