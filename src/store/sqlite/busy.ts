import { KitError } from '../../domain/errors.js';
import type { Pacing } from '../pacing.js';

/** How long a lock of another process is waited for (docs/design/journal.md#sqlite). */
export const BUSY_LIMIT_MS = 10_000;
const RETRY_MIN_MS = 1;
const RETRY_MAX_MS = 5;

/**
 * SQLITE_BUSY and its extended forms, SQLITE_LOCKED: somebody else holds a lock and will let go.
 */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== null && (code.startsWith('SQLITE_BUSY') || code === 'SQLITE_LOCKED');
}

export function sqliteCode(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : null;
}

export const retryDelayMs = (pacing: Pacing): number => RETRY_MIN_MS + (RETRY_MAX_MS - RETRY_MIN_MS) * pacing.random();

export function storeBusy(cause: unknown, limitMs = BUSY_LIMIT_MS): KitError {
  return new KitError('KIT_STORE_BUSY', `another process has held the store for ${limitMs / 1000} s`, { cause });
}

/**
 * Runs synchronous database work, again after a random pause while another process holds a lock.
 * Throws KIT_STORE_BUSY.
 */
export async function retryBusy<T>(pacing: Pacing, work: () => T, limitMs = BUSY_LIMIT_MS): Promise<T> {
  const startedMs = pacing.nowMs();
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (pacing.nowMs() - startedMs > limitMs) throw storeBusy(error, limitMs);
    }
    await pacing.sleep(retryDelayMs(pacing));
  }
}
