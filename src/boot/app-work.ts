import type { WorkerApp } from '../app/work/worker-app.js';
import type { Runs } from './parts.js';

/** Wires the working process. */
export async function openWork(runs: Pick<Runs, 'work'>): Promise<WorkerApp> {
  const [{ createWorkerApp }, deps] = await Promise.all([import('../app/work/create-worker-app.js'), runs.work()]);
  return createWorkerApp(deps);
}
