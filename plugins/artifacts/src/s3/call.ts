import type { PluginContext } from '@kit-run/kit/plugin';
import { isPassing, NoAnswer, NoBucket } from './failure.js';

/** What a call needs of its surroundings. */
export type CallParts = Pick<PluginContext, 'fetch' | 'clock' | 'signal'>;

/**
 * Until the service begins to answer; what is sent gets as long as a line of 100 kB a second needs.
 */
const ANSWER_MS = 30_000;
const BYTES_PER_MS = 100;
/** Waits between the tries of one call. */
const PAUSES_MS = [250, 1000] as const;

/**
 * The fetch of one call: no redirect, which would carry the signed request elsewhere, and no wait
 * without end.
 */
export function callFetch({ fetch, clock, signal }: CallParts, sentBytes: number): typeof globalThis.fetch {
  return async (input, init) => {
    const tooLate = new AbortController();
    const answered = new AbortController();
    void clock.sleep(ANSWER_MS + sentBytes / BYTES_PER_MS, answered.signal).then(
      () => tooLate.abort(new NoAnswer('no answer in time')),
      () => undefined,
    );
    try {
      const response = await fetch(input, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.any([signal, tooLate.signal]),
      });
      if (response.status === 404 && init?.method === 'GET' && (await response.clone().text()).includes('NoSuchBucket'))
        throw new NoBucket('no such bucket');
      return response;
    } finally {
      answered.abort();
    }
  };
}

/** Tries again what failed for a passing reason: putting and getting by digest can be repeated. */
export async function withRetries<T>({ clock, signal }: CallParts, work: () => Promise<T>): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      await clock.sleep(pauseMs, signal);
    }
  }
  return work();
}
