import type { RunHandle } from '../app/runs/runs-app.js';
import type { AuthorNotice } from '../app/submit/author-notice.js';
import type { StoredEvent } from '../domain/events.js';
import type { Job } from '../domain/job.js';
import { followEvents } from './follow-events.js';
import { findRun, type RemoteContext } from './remote-context.js';

/** What a server said of a run when it took it. */
export interface TakenRun {
  readonly job: Job;
  readonly author: AuthorNotice | null;
  /** A sentence each. */
  readonly advice: readonly string[];
}

/**
 * A run that a server executes, as a command follows one of its own: the same events, the same end.
 * Whoever leaves takes nothing from the run: a second Ctrl-C ends the looking alone.
 */
export function remoteHandle(context: RemoteContext, { job, author, advice }: TakenRun): RunHandle {
  const left = new AbortController();
  const ended = Promise.withResolvers<Job>();
  // Who shows the run awaits it; who never looks is told nothing.
  ended.promise.catch(() => undefined);
  return {
    job,
    warnings: [],
    author,
    advice,
    isElsewhere: true,
    done: ended.promise,
    events: (afterSeq, signal) =>
      followed(context, { run: job.id, afterSeq, signal: AbortSignal.any([signal, left.signal]), ended }),
    // Streamed text is not an event, and stays where it is written.
    texts: () => NOTHING,
    stop: async () => {
      await context.client.read(context.client.http.POST('/jobs/{id}/stop', { params: { path: { id: job.id } } }));
    },
    abort: () => {
      left.abort('left');
      findRun(context, job.id).then(ended.resolve, ended.reject);
    },
  };
}

async function* followed(
  context: RemoteContext,
  of: {
    readonly run: string;
    readonly afterSeq: number;
    readonly signal: AbortSignal;
    readonly ended: PromiseWithResolvers<Job>;
  },
): AsyncGenerator<StoredEvent> {
  const { ended, ...follow } = of;
  try {
    const { job } = yield* followEvents(context, follow);
    if (job !== null) ended.resolve(job);
  } catch (error) {
    ended.reject(error);
    throw error;
  }
}

const NOTHING: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};
