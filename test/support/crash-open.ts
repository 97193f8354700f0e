import type { FaultPoints } from '../../src/domain/faults.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import type { Clock, Ids } from '../../src/domain/ports/system.js';
import { openPostgresStores } from '../../src/store/postgres/open-postgres-stores.js';
import { openSqliteStores } from '../../src/store/sqlite/open-sqlite-stores.js';
import { processStartOf } from '../../src/system/worker-host.js';

export interface CrashOpen {
  readonly url: string | null;
  readonly stateDir: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly faults: FaultPoints;
}

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The one place of the crash test that knows which store it is. */
export function openCrashStores({ url, stateDir, clock, ids, faults }: CrashOpen): Promise<Stores> {
  if (url === null) return openSqliteStores({ stateDir, clock, ids, faults, log, processStartOf });
  return openPostgresStores({
    place: { url, setting: 'storage.runtime.url' },
    poolSize: 2,
    maxOverflow: 4,
    ids,
    faults,
    log,
  });
}
