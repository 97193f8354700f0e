import type { RemoteWaitStore } from '../../domain/ports/remote-waits.js';
import { createRemoteWaits, dueRemote, gatedRemote } from '../remote-waits.js';
import type { PostgresDeps } from './deps.js';
import { postgresPrograms } from './programs.js';

const words = { join: 'JOIN', isOfRun: 's.job_id = t.job_id' };
/** The store's clock is asked once: so the index can be used. */
const DUE = dueRemote({ now: '(SELECT kit_now())', ...words });
const GATED = gatedRemote({ state: "(CAST(s.notes AS json) #>> '{remote,state}')", ...words });

/** Waits for agents that run elsewhere, in PostgreSQL. */
export const createPostgresRemoteWaits = (deps: PostgresDeps): RemoteWaitStore =>
  createRemoteWaits(postgresPrograms(deps), { DUE, GATED, time: () => ({}) }, deps.ids);
