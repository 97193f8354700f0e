import { afterEach, beforeEach } from 'vitest';
import type { Job } from '../../src/domain/job.js';
import type { RunWrite } from '../../src/domain/journal.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { openPostgresStores, type PostgresStoreOptions } from '../../src/store/postgres/open-postgres-stores.js';
import { openPostgresWorld, type PostgresWorld, placeOf } from './postgres-world.js';
import { claimOf, createIds, messageEvent, newJob, startedEvent, startWrite, stepOf } from './store-samples.js';
import { SILENT } from './store-world.js';

/** Several processes on one database, of which each test gets an empty one. */
export interface PostgresProcesses {
  readonly world: PostgresWorld;
  /** Another process on the same database. */
  another(over?: Partial<PostgresStoreOptions>): Promise<Stores>;
  /** A job under the lease of the first process, with one event. */
  running(): Promise<Job>;
  /** Starts a step, with one event. */
  say(job: Job, key: string): readonly RunWrite[];
}

/** What passes by itself is waited for a shorter time than in earnest. */
const BUSY_LIMIT_MS = 1500;

export function openPostgresProcesses(): PostgresProcesses {
  let world: PostgresWorld;
  const others: Stores[] = [];
  beforeEach(async () => {
    world = await openPostgresWorld({ parts: { busyLimitMs: BUSY_LIMIT_MS } });
  });
  afterEach(async () => {
    for (const other of others.splice(0)) await other.close();
    await world.dispose();
  });
  return {
    get world() {
      return world;
    },
    async another(over = {}) {
      const ids = createIds(0xa0 + others.length);
      const place = placeOf(world.database.url);
      const stores = await openPostgresStores({
        place,
        poolSize: 2,
        maxOverflow: 2,
        ids,
        faults: { hit: () => {} },
        log: SILENT,
        ...over,
      });
      others.push(stores);
      return stores;
    },
    running: () =>
      world.stores.jobs.insert(newJob(world.ids.jobId()), 'pending', [startedEvent(world.ids.uuid())], claimOf()),
    say: (job, key) => [startWrite(stepOf(job.id, key), [messageEvent(world.ids.uuid(), key, key)])],
  };
}
