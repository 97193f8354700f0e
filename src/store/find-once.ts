import type { Job } from '../domain/job.js';
import type { Once } from '../domain/ports/stores.js';
import { isoAt } from '../lib/iso-at.js';
import { ONCE_MS, type OnceRow, onceKey, repeatedJob } from './once.js';
import { get, type Program, type Programs } from './program.js';
import { FIND_ONCE } from './sql/once.js';

/** A key that was used then or earlier is free. */
export const expiredAt = (now: string): string => isoAt(Date.parse(now) - ONCE_MS);

/** The job of a key that is still in force. Throws KIT_IDEMPOTENCY_CONFLICT. */
export async function findOnce({ now, read }: Pick<Programs, 'now' | 'read'>, once: Once): Promise<Job | null> {
  const expired = expiredAt(await now());
  return read(() => jobOfKey(once, expired));
}

export function* jobOfKey(once: Once, expired: string): Program<Job | null> {
  const row = yield* get<OnceRow>(FIND_ONCE, { onceKey: onceKey(once), expired });
  return row === undefined ? null : repeatedJob(once, row);
}
