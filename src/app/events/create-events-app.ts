import type { RoleDirectory } from '../../domain/gates.js';
import type { JsonObject } from '../../domain/json.js';
import type { Metric } from '../../domain/ports/metrics.js';
import type { EventSink, SignalListener } from '../../domain/ports/sinks.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock, Ids, Log } from '../../domain/ports/system.js';
import type { Workspace } from '../../domain/workspace.js';
import type { EventsApp } from './events-app.js';
import { awaitLog, followLog, readAudit, readLog } from './read-log.js';

/** Real parts behind the use cases. */
export interface EventsDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly random: () => number;
  /**
   * Opens the store of a workspace without reading its YAML; null when it has none yet. Throws
   * KIT_WORKSPACE_NOT_FOUND.
   */
  readonly openStores: (workspace: string) => Promise<Stores | null>;
  /**
   * The same, made where there is none: an attempt to signal is written down, and sinks wait for
   * the first event.
   */
  readonly makeStores: (workspace: string) => Promise<Stores>;
  /** Role files as they stand now. */
  readonly readRoles: (workspace: string) => Promise<RoleDirectory>;
  /** The workspace that new runs are compiled from. Throws KIT_WORKSPACE_INVALID. */
  readonly current: (workspace: string) => Promise<Workspace>;
  readonly openSink: (workspace: string, name: string, config: JsonObject) => Promise<EventSink>;
  readonly openListener: (workspace: string) => Promise<SignalListener | null>;
  readonly maskOf: (workspace: string) => Promise<(text: string) => string>;
  /** KIT_OTEL_EXPORTER; null when unset. */
  readonly exporter: string | null;
  /** The figures of `/metrics`. */
  readonly figures: (workspace: string) => Promise<readonly Metric[]>;
}

/** The log for consumers outside kit, over parts that `boot` hands in. */
export function createEventsApp(deps: EventsDeps): EventsApp {
  const { clock, ids, log, random } = deps;
  return {
    read: async (query) => readLog(await deps.openStores(query.workspace), query),
    awaitPage: async (query) => awaitLog({ stores: await deps.makeStores(query.workspace), clock }, query),
    follow: (query, signal) => follow(deps, query, signal),
    audit: async (query) => readAudit({ stores: await deps.openStores(query.workspace), clock }, query),
    loose: async (query) => {
      const { readLoose } = await import('./read-loose.js');
      return readLoose(await deps.openStores(query.workspace), query);
    },
    signal: async (ask) => {
      const { workspace } = ask;
      const { sendSignal } = await import('./signals.js');
      const [stores, mask] = await Promise.all([deps.makeStores(workspace), deps.maskOf(workspace)]);
      const readRoles = () => deps.readRoles(workspace);
      return sendSignal({ stores, clock, ids, readRoles, listener: () => deps.openListener(workspace), mask }, ask);
    },
    startSinks: async (workspace) => {
      const { startSinks } = await import('./sinks/start-sinks.js');
      return startSinks(await deps.makeStores(workspace), {
        clock,
        random,
        log,
        holder: ids.workerId(),
        current: () => deps.current(workspace),
        openSink: (name, config) => deps.openSink(workspace, name, config),
        figures: () => deps.figures(workspace),
        exporter: deps.exporter,
      });
    },
  };
}

async function* follow(
  deps: EventsDeps,
  query: Parameters<EventsApp['follow']>[0],
  signal: AbortSignal,
): ReturnType<EventsApp['follow']> {
  yield* followLog(await deps.makeStores(query.workspace), query, signal);
}
