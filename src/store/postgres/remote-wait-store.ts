import type { RemoteWaitStore } from '../../domain/ports/remote-waits.js';
import { runLater } from '../program.js';
import { dropWait, dueRemote, gatedRemote, holdWaits, readDue, readGated } from '../remote-waits.js';
import type { PostgresDeps } from './deps.js';
import type { Transaction } from './transaction.js';
import { wakeRun } from './wake-caller.js';

const words = { join: 'JOIN', isOfRun: 's.job_id = t.job_id' };
/** The store's clock is asked once: so the index can be used. */
const DUE = dueRemote({ now: '(SELECT kit_now())', ...words });
const GATED = gatedRemote({ state: "(CAST(s.notes AS json) #>> '{remote,state}')", ...words });

/** Waits for agents that run elsewhere, in PostgreSQL. */
export function createPostgresRemoteWaits({ queue, read, ids }: PostgresDeps): RemoteWaitStore {
  return {
    due: (limit) => read((sql) => runLater(sql, readDue(DUE, { limit }))),
    gated: (limit) => read((sql) => runLater(sql, readGated(GATED, limit))),
    hold: (waits, leaseMs) => {
      const work = (tx: Transaction) => runLater(tx, holdWaits(waits, tx.nowPlus(leaseMs)));
      return queue.run({ writes: ['remote.hold'], jobs: [], work });
    },
    settle: (wait, { wakes }) => {
      const work = async (tx: Transaction): Promise<boolean> => {
        if (!(await runLater(tx, dropWait(wait)))) return false;
        if (wakes) await wakeRun(tx, wait.jobId, { by: `step ${wait.key}`, eventId: ids.uuid() });
        return true;
      };
      return queue.run({ writes: ['remote.settle'], jobs: [wait.jobId], work });
    },
  };
}
