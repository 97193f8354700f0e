import { removeLeftContainers } from '../domain/container-owner.js';
import { findContainerRuntime } from '../domain/container-runtime.js';
import { containerOwner, readWorkerHost } from '../system/worker-host.js';
import { runtimeSearch } from './runtime-search.js';

/**
 * Removes containers of dead processes of kit by the runtime that a run here would use; answers how
 * many. Nothing where none answers; never rejects.
 */
export async function sweepContainers(of: { readonly env: NodeJS.ProcessEnv; readonly cwd: string }): Promise<number> {
  const search = runtimeSearch(of);
  const found = await findContainerRuntime(search);
  if ('problem' in found) return 0;
  return removeLeftContainers({ ...search, runtime: found.runtime, owner: containerOwner(readWorkerHost()) });
}
