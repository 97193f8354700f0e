import type { JobClass, JobOffers } from '../../domain/job.js';
import { ENGINE } from '../../domain/journal.js';
import type { FleetKind, FleetStore } from '../../domain/ports/fleet.js';
import type { WorkerHost } from '../../domain/ports/stores.js';
import type { Clock, Ids, Log } from '../../domain/ports/system.js';
import { createHeartbeat, type Heartbeat } from './heartbeat.js';

/** Where the rows of a fleet lie, and what this process says of itself. */
export interface FleetParts<S> {
  /** Version of kit. */
  readonly version: () => Promise<string>;
  /** The rows of the session's workspace (`storage.fleet`). Throws KIT_STORE_*: a place that is named and not there refuses the start. */
  readonly open: (session: S) => Promise<FleetStore>;
}

export interface JoinDeps {
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'workerId'>;
  readonly log: Log;
  readonly host: WorkerHost;
}

/** How a process is at one moment. */
export interface MemberState {
  readonly jobClass: JobClass | 'any';
  /** 0: it claims nothing (an api, a process that drains). */
  readonly concurrency: number;
  readonly active: number;
  readonly offers: JobOffers;
}

/** Opens the fleet of a session for this process; what it gives makes the heartbeat, which begins when it is started. */
export async function joinFleet<S>(
  deps: JoinDeps & { readonly fleet: FleetParts<S> },
  session: S,
): Promise<(kind: FleetKind, state: () => MemberState) => Heartbeat> {
  const { clock, ids, log, host } = deps;
  const [version, fleet] = await Promise.all([deps.fleet.version(), deps.fleet.open(session)]);
  const self = { hostname: host.hostname, pid: host.pid, version, engine: ENGINE, startedAt: new Date(clock.now()).toISOString() };
  return (kind, state) => createHeartbeat({ clock, log, fleet }, ids.workerId(), () => ({ ...self, kind, ...state() }));
}
