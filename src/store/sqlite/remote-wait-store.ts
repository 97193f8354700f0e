import type { RemoteWaitStore } from '../../domain/ports/remote-waits.js';
import { runNow } from '../program.js';
import { dropWait, dueRemote, gatedRemote, holdWaits, readDue, readGated } from '../remote-waits.js';
import { isoAt, type SqliteDeps } from './deps.js';
import { wakeRun } from './wake-caller.js';

/** The journal is indexed by `jobs.ord`. */
const words = { join: 'CROSS JOIN', isOfRun: 's.run = j.ord' };
const DUE = dueRemote({ now: '@now', ...words });
const GATED = gatedRemote({ state: "(s.notes ->> '$.remote.state')", ...words });

/** Waits for agents that run elsewhere, in SQLite. */
export function createSqliteRemoteWaits({ queue, read, clock, ids }: SqliteDeps): RemoteWaitStore {
  const at = (plusMs = 0): string => isoAt(clock.now() + plusMs);
  return {
    due: (limit) => read((sql) => runNow(sql, readDue(DUE, { now: at(), limit }))),
    gated: (limit) => read((sql) => runNow(sql, readGated(GATED, limit))),
    hold: (waits, leaseMs) => queue.run(['remote.hold'], (sql) => runNow(sql, holdWaits(waits, at(leaseMs)))),
    settle: (wait, { wakes }) =>
      queue.run(['remote.settle'], (sql) => {
        if (!runNow(sql, dropWait(wait))) return false;
        if (wakes) wakeRun(sql, wait.jobId, { by: `step ${wait.key}`, eventId: ids.uuid(), now: at() });
        return true;
      }),
  };
}
