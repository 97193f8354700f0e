import { ALIVE_MS } from '../../src/app/fleet/heartbeat.js';
import type { StoreMove } from '../../src/domain/ports/store-move.js';
import { openStoreMove, type StoreMoveOptions } from '../../src/store/move/create-store-move.js';
import type { TestDatabase } from './components/postgres.js';
import { placeOf } from './postgres-world.js';
import { createIds, HERE } from './store-samples.js';
import type { SqliteWorld } from './store-world.js';

/** When a move looks, unless a test says otherwise: the leases of a filled store are over. */
export const LATER = '2026-06-01T00:00:00.000Z';

/** Opens a move from a store into a database, and closes it after the work. */
export async function moving<T>(
  sides: { readonly world: SqliteWorld; readonly database: TestDatabase },
  work: (move: StoreMove) => Promise<T>,
  over: { readonly now?: string; readonly sleep?: StoreMoveOptions['sleep'] } = {},
): Promise<T> {
  const move = await openStoreMove({
    stateDir: sides.world.stateDir,
    place: placeOf(sides.database.url),
    ids: createIds(0xaa),
    observer: () => ({ host: HERE, now: over.now ?? LATER, processStartOf: () => null }),
    aliveMs: ALIVE_MS,
    now: () => LATER,
    sleep: over.sleep ?? (async () => undefined),
  });
  try {
    return await work(move);
  } finally {
    await move.close();
  }
}
