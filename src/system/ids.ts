import { randomBytes, randomUUID } from 'node:crypto';
import type { WorkerHost } from '../domain/ports/stores.js';
import type { Ids } from '../domain/ports/system.js';

const JOB_ID_BYTES = 6;
const WORKER_RANDOM_BYTES = 4;

/** Ids from the system's CSPRNG. */
export function createIds(host: Pick<WorkerHost, 'hostname' | 'pid'>): Ids {
  return {
    jobId: () => randomBytes(JOB_ID_BYTES).toString('hex'),
    workerId: () => `${host.hostname}:${host.pid}:${randomBytes(WORKER_RANDOM_BYTES).toString('hex')}`,
    uuid: () => randomUUID(),
  };
}
