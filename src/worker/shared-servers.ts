import type { LeaseSignal } from '../domain/ports/system.js';
import type { ToolServers } from './tool-servers.js';

/** As long as this process: its supervisors end their processes when it is gone. */
export const PROCESS_LEASE: LeaseSignal = { until: () => Number.POSITIVE_INFINITY, onRenew: () => () => undefined };

/**
 * Servers that the runs of a process that serves or works share
 * (docs/tool-servers.md#when-a-server-runs).
 */
export interface SharedServers {
  /** False until the process serves or works: a run by itself has servers of its own. */
  isOn(): boolean;
  turnOn(): void;
  /**
   * Those of a workspace as it was just read; those of an earlier reading are closed once no run
   * uses them.
   */
  of(workspace: string, create: () => ToolServers): UsedServers;
  /**
   * The workspace was read anew: no later run may come that would close what an earlier reading
   * opened.
   */
  retire(workspace: string): void;
  close(reason?: unknown): Promise<void>;
}

export interface UsedServers {
  readonly servers: ToolServers;
  /** Of one run; gives what lets go of it. */
  use(): () => Promise<void>;
}

interface Entry {
  readonly servers: ToolServers;
  users: number;
  isRetired: boolean;
}

export function createSharedServers(): SharedServers {
  let isOn = false;
  const entries = new Map<string, Set<Entry>>();
  const closeIdle = async (workspace: string, entry: Entry): Promise<void> => {
    if (!entry.isRetired || entry.users > 0) return;
    entries.get(workspace)?.delete(entry);
    await entry.servers.close();
  };
  const retire = (workspace: string): void => {
    for (const earlier of entries.get(workspace) ?? []) {
      earlier.isRetired = true;
      void closeIdle(workspace, earlier);
    }
  };
  return {
    isOn: () => isOn,
    turnOn: () => {
      isOn = true;
    },
    of: (workspace, create) => {
      const known = entries.get(workspace) ?? new Set<Entry>();
      entries.set(workspace, known);
      retire(workspace);
      const entry: Entry = { servers: create(), users: 0, isRetired: false };
      known.add(entry);
      return {
        servers: entry.servers,
        use: () => {
          entry.users += 1;
          // A run of the earlier reading may begin to use them after they were closed.
          known.add(entry);
          return async () => {
            entry.users -= 1;
            await closeIdle(workspace, entry);
          };
        },
      };
    },
    retire,
    close: async (reason) => {
      const all = [...entries.values()].flatMap((known) => [...known]);
      entries.clear();
      await Promise.all(all.map(({ servers }) => servers.close(reason)));
    },
  };
}
