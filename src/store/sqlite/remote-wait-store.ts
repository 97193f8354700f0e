import type { RemoteWaitStore } from '../../domain/ports/remote-waits.js';
import { createRemoteWaits, dueRemote, gatedRemote } from '../remote-waits.js';
import { isoAt, type SqliteDeps } from './deps.js';
import { sqlitePrograms } from './programs.js';

/** The journal is indexed by `jobs.ord`. */
const words = { join: 'CROSS JOIN', isOfRun: 's.run = j.ord' };
const DUE = dueRemote({ now: '@now', ...words });
const GATED = gatedRemote({ state: "(s.notes ->> '$.remote.state')", ...words });

/** Waits for agents that run elsewhere, in SQLite. */
export const createSqliteRemoteWaits = (deps: SqliteDeps): RemoteWaitStore =>
  createRemoteWaits(sqlitePrograms(deps), { DUE, GATED, time: () => ({ now: isoAt(deps.clock.now()) }) }, deps.ids);
