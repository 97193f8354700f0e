import type { Job } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import { foldRun } from '../../view/reduce-run.js';
import { EMPTY_RUN, type RunView } from '../../view/run-view.js';

/** Events of one run that one look folds: a long run is caught up with in several. */
const EVENTS_A_LOOK = 2_000;
const PAGE = 500;

/**
 * Views of the runs that somebody looks at again and again: each look folds what is new with the
 * one reducer.
 */
export class RunViews {
  #views: ReadonlyMap<string, RunView> = new Map();

  /** The views of these runs as they are now; those of others are forgotten. */
  async of(events: Pick<Stores['events'], 'readRun'>, jobs: readonly Job[]): Promise<ReadonlyMap<string, RunView>> {
    const views = await Promise.all(
      jobs.map(async ({ id }) => [id, await fold(events, id, this.#views.get(id) ?? EMPTY_RUN)] as const),
    );
    this.#views = new Map(views);
    return this.#views;
  }
}

async function fold(events: Pick<Stores['events'], 'readRun'>, jobId: string, from: RunView): Promise<RunView> {
  let view = from;
  for (let read = 0; read < EVENTS_A_LOOK; read += PAGE) {
    const page = await events.readRun(jobId, view.lastSeq, PAGE);
    view = foldRun(view, page);
    if (page.length < PAGE) break;
  }
  return view;
}
