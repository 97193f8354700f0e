import { expect } from 'vitest';
import type { WorldOptions } from '../support/run-world.js';
import { record, replay } from './taped-world.js';

/** Waits between attempts are nothing here; other times stay real. */
export const hasty = (options: WorldOptions): WorldOptions => ({
  ...options,
  facilities: (base) => ({ pause: async () => undefined, ...options.facilities?.(base) }),
});

/** Records a run and replays it: the same events and the same end. */
export async function sameAgain(options: WorldOptions) {
  const recorded = await record(hasty(options));
  const replayed = await replay(options, recorded.cassette);
  expect(replayed.events).toEqual(recorded.events);
  expect(replayed.job).toMatchObject({
    status: recorded.job.status,
    reason: recorded.job.reason,
    error: recorded.job.error,
    output: recorded.job.output,
    usage: recorded.job.usage,
    diffLength: recorded.job.diffLength,
  });
  return recorded;
}
