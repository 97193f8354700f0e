import type { Job } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import { isOpen } from '../../govern/approval/rules.js';
import { askedOf, type ReviewRequest } from '../../view/asked.js';
import type { RunView } from '../../view/run-view.js';
import { usageSoFar } from '../jobs/so-far.js';
import { readDescription } from './asking.js';
import { roundOf } from './review-states.js';

/**
 * What is asked of a run as a whole, for nobody in particular: of the first gate or item that
 * waits, else of the request alone. Input and all.
 */
export async function askedOfRun(
  stores: Stores,
  of: { readonly job: Job; readonly view: RunView; readonly nowMs: number; readonly mask: (text: string) => string },
): Promise<ReviewRequest> {
  const { job, view, nowMs, mask } = of;
  const [state, usage, description] = await Promise.all([
    stores.reviews.state(job.id),
    usageSoFar(stores, job),
    readDescription(stores, job),
  ]);
  const item = state?.items.find(isOpen) ?? null;
  const round = state === null || item === null ? (state?.gates.at(-1) ?? null) : roundOf(state, item);
  return askedOf({
    job: { ...job, usage },
    description,
    item,
    round,
    decisions: state?.decisions ?? [],
    run: view,
    you: null,
    now: state?.now ?? new Date(nowMs).toISOString(),
    mask,
    maxInputChars: Number.POSITIVE_INFINITY,
  });
}
