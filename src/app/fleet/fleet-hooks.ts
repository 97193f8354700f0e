import { ENGINE } from '../../domain/journal.js';
import type { FleetStore } from '../../domain/ports/fleet.js';
import type { WorkerHost } from '../../domain/ports/stores.js';
import type { Clock, Log } from '../../domain/ports/system.js';
import type { ProcessHooks } from '../work/working-process.js';
import { createHeartbeat, type Heartbeat } from './heartbeat.js';

export interface FleetHooksDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly host: WorkerHost;
  /** Version of kit. */
  readonly version: () => Promise<string>;
  /** The rows of a workspace's fleet (`storage.fleet`). Throws KIT_STORE_*. */
  readonly openFleet: (workspace: string) => Promise<FleetStore>;
}

/** A process and the row that tells of it. */
interface Member {
  readonly heartbeat: Heartbeat;
  isDraining: boolean;
}

/**
 * Registers every serving and working process in the fleet of its workspace, under the id of its
 * claims. A place for the rows that is named and not there refuses the start, as for any other
 * store; from then on nothing of a run depends on them.
 */
export function createFleetHooks(deps: FleetHooksDeps): ProcessHooks {
  const members = new Map<string, Member>();
  return {
    onOpen: async (process) => {
      const [version, fleet] = await Promise.all([deps.version(), deps.openFleet(process.workspace)]);
      const { hostname, pid } = deps.host;
      const { id, kind, jobClass } = process;
      const self = {
        kind,
        hostname,
        pid,
        version,
        engine: ENGINE,
        jobClass,
        startedAt: new Date(deps.clock.now()).toISOString(),
      };
      const member: Member = {
        isDraining: false,
        heartbeat: createHeartbeat({ ...deps, fleet }, id, async () => ({
          ...self,
          // One that drains claims nothing.
          concurrency: member.isDraining ? 0 : process.concurrency(),
          active: process.active(),
          offers: await process.offers(),
        })),
      };
      members.set(id, member);
    },
    onStart: async ({ id }) => members.get(id)?.heartbeat.start(),
    onDrain: async ({ id }) => {
      const member = members.get(id);
      if (member === undefined) return;
      member.isDraining = true;
      member.heartbeat.now();
    },
    onStop: async ({ id }) => {
      await members.get(id)?.heartbeat.stop();
      members.delete(id);
    },
  };
}
