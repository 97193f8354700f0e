import type { ToolSource } from '../../../src/domain/ports/tools.js';
import type { LinkedServer } from '../../../src/domain/tool-server.js';
import { createToolServers } from '../../../src/worker/tool-servers.js';
import { linkedServer } from '../../support/fake-tools.js';
import type { WorldOptions } from '../../support/run-world.js';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A world whose tools are those of one source, behind the manager that real runs have. */
export const withTools = (
  source: ToolSource,
  options: WorldOptions,
  server: Partial<LinkedServer> = {},
): WorldOptions => ({
  ...options,
  snapshot: { servers: { files: linkedServer('files', server) }, ...options.snapshot },
  facilities: (base) => {
    const servers = createToolServers({
      source: async () => source,
      settings: async ({ config }) => config,
      bearer: async () => null,
      refused: () => null,
      processes: base.processes,
      context: {
        log: silent,
        clock: { now: Date.now, sleep: (ms, signal) => sleep(ms, signal) },
        env: base.childEnv,
        workspaceRoot: base.workspaceRoot,
      },
    });
    return {
      toolServer: servers.open,
      closeServers: servers.close,
      pause: async () => undefined,
      ...options.facilities?.(base),
    };
  },
});

const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
