import type { RuntimeSearch } from '../domain/container-runtime.js';
import { childEnvironment } from '../system/child-env.js';
import { createProcesses } from '../system/processes/processes.js';
import { PROCESS_LEASE } from '../worker/tool-servers.js';

/** How a container runtime is started outside of a run: it ends with this process. */
export function runtimeSearch(of: { readonly env: NodeJS.ProcessEnv; readonly cwd: string }): RuntimeSearch {
  const processes = createProcesses();
  const { signal } = new AbortController();
  return {
    wanted: of.env.KIT_CONTAINER_RUNTIME || null,
    cwd: of.cwd,
    env: childEnvironment(of.env),
    spawn: (spec) => processes.spawn(spec, PROCESS_LEASE, signal),
  };
}
