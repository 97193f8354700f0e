import { join } from 'node:path';
import { createDatabase } from './components/postgres.js';
import { pathsOf } from './crash-plan.js';
import { dumpPostgres } from './postgres-dump.js';
import { dumpStore, type StoreDump } from './store-dump.js';

/** Every check of the crash test runs on each. */
export const CRASH_STORES = ['SQLite', 'PostgreSQL'] as const;
export type CrashStoreName = (typeof CRASH_STORES)[number];

/** The store of one case, as the test sees it: from outside, by a connection of its own. */
export interface CrashDatabase {
  /** Null: SQLite in the state directory of the case. */
  readonly url: string | null;
  tables(): Promise<StoreDump['tables']>;
  /**
   * After a kill: nothing of the dead process is under way in the server, and its lease is over.
   */
  bury(leaseMs: number): Promise<void>;
  dispose(): Promise<void>;
}

export async function openCrashDatabase(store: CrashStoreName, dir: string): Promise<CrashDatabase> {
  // A dead process of this machine is found by its pid, so no time has to go by.
  if (store === 'SQLite')
    return {
      url: null,
      tables: async () => dumpStore(join(pathsOf(dir).state)).tables,
      bury: async () => {},
      dispose: async () => {},
    };
  const database = await createDatabase();
  return {
    url: database.url,
    tables: () => dumpPostgres(database),
    bury: async (leaseMs) => {
      await database.deserted();
      await database.elapse(leaseMs + 1000);
    },
    dispose: () => database.drop(),
  };
}
