import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_FAULTS } from '../../src/domain/faults.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import type { Clock, Log } from '../../src/domain/ports/system.js';
import { openSqliteStores, type SqliteStoreOptions } from '../../src/store/sqlite/open-sqlite-stores.js';
import { processStartOf } from '../../src/system/worker-host.js';
import { createIds, type SampleIds } from './store-samples.js';

export const SILENT: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export interface ManualClock extends Clock {
  advance(ms: number): void;
}

/** Where the clock of a suite begins, in every store. */
export const MANUAL_START_MS = Date.parse('2026-01-02T03:04:05.000Z');

export function createManualClock(startMs = MANUAL_START_MS): ManualClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    sleep: () => Promise.reject(new Error('the store does not sleep on the domain clock')),
    advance: (ms) => {
      nowMs += ms;
    },
  };
}

/** One store of its own, and the ways a suite moves it. */
export interface StoreWorld {
  readonly stores: Stores;
  readonly ids: SampleIds;
  /** Lets the store's clock run on. */
  elapse(ms: number): Promise<void>;
  /** Closes and opens the same store again, as the next process would. */
  reopen(): Promise<void>;
  dispose(): Promise<void>;
}

/** What each group of laws is given: a fresh store per test. */
export type World = () => StoreWorld;

export interface SqliteWorld extends StoreWorld {
  readonly stateDir: string;
  readonly path: string;
}

export async function openSqliteWorld(over: Partial<SqliteStoreOptions> = {}): Promise<SqliteWorld> {
  const root = over.stateDir === undefined ? await mkdtemp(join(tmpdir(), 'kit-store-')) : null;
  const stateDir = over.stateDir ?? join(root ?? '', '.kit');
  const clock = createManualClock();
  const ids = createIds();
  const options: SqliteStoreOptions = {
    stateDir,
    clock,
    ids: createIds(0xfe),
    faults: NO_FAULTS,
    log: SILENT,
    processStartOf,
    ...over,
  };
  let stores = await openSqliteStores(options);
  return {
    get stores() {
      return stores;
    },
    ids,
    stateDir,
    path: join(stateDir, 'store.sqlite'),
    elapse: async (ms) => clock.advance(ms),
    async reopen() {
      await stores.close();
      // Ids never come back: a new process draws others.
      stores = await openSqliteStores({ ...options, ids: createIds(0xff) });
    },
    async dispose() {
      await stores.close();
      if (root !== null) await rm(root, { recursive: true, force: true });
    },
  };
}
