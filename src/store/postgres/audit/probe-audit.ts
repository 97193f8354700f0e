import { setTimeout } from 'node:timers/promises';
import { onConnection } from '../connections.js';
import { isPassing, refusedAt } from '../failures.js';
import { locationOf, type PostgresPlace } from '../location.js';
import { requireCopyable } from '../migrate.js';

/** A run does not wait longer for a log that may be late. */
const PROBE_MS = 1_000;

/**
 * Throws KIT_STORE_UNAVAILABLE and KIT_STORE_NEWER for a database that answers and can never hold
 * the copy: a wrong password, no such database, a server that is too old. False: it does not answer
 * now, which is no reason to refuse anything.
 */
export async function probeAudit(place: PostgresPlace): Promise<boolean> {
  const over = new AbortController();
  const late = setTimeout(PROBE_MS, false, { signal: over.signal }).catch(() => false);
  const looked = look(place).then(
    () => true,
    (error: unknown) => {
      if (isPassing(error)) return false;
      throw error;
    },
  );
  looked.catch(() => undefined);
  const answered = await Promise.race([looked, late]);
  over.abort();
  return answered;
}

const look = (place: PostgresPlace): Promise<void> =>
  onConnection({ place }, ({ sql }) =>
    requireCopyable(sql).catch((error: unknown) => {
      throw refusedAt(error, { location: locationOf(place), setting: place.setting });
    }),
  );
