import { removeLeftContainers } from '../domain/container-owner.js';
import { findContainerRuntime } from '../domain/container-runtime.js';
import { childEnvironment } from '../system/child-env.js';
import { createProcesses } from '../system/processes/processes.js';
import { containerOwner, readWorkerHost } from '../system/worker-host.js';
import { PROCESS_LEASE } from '../worker/shared-servers.js';

/**
 * Removes containers of dead processes of kit by the runtime that a run here would use; answers how
 * many. Nothing where none answers; never rejects.
 */
export async function sweepContainers(of: { readonly env: NodeJS.ProcessEnv; readonly cwd: string }): Promise<number> {
  const processes = createProcesses();
  const { signal } = new AbortController();
  const search = {
    wanted: of.env.KIT_CONTAINER_RUNTIME || null,
    cwd: of.cwd,
    env: childEnvironment(of.env),
    spawn: (spec: Parameters<typeof processes.spawn>[0]) => processes.spawn(spec, PROCESS_LEASE, signal),
  };
  const found = await findContainerRuntime(search);
  if ('problem' in found) return 0;
  return removeLeftContainers({ ...search, runtime: found.runtime, owner: containerOwner(readWorkerHost()) });
}
