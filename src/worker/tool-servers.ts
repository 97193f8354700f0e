import { isKitError, KitError, messageOf } from '../domain/errors.js';
import type { JsonObject } from '../domain/json.js';
import { HurriedAbort, type LeaseSignal, type Processes } from '../domain/ports/system.js';
import type { RefusalHandler, ToolServer, ToolServerContext, ToolSource } from '../domain/ports/tools.js';
import type { LinkedServer } from '../domain/tool-server.js';
import { canonicalJson } from '../lib/canonical-json.js';

/** What opening servers takes of the outside. */
export interface ToolServersDeps {
  /** The contribution to `toolSources` of this name. */
  readonly source: (name: string) => Promise<ToolSource>;
  /** The server's configuration with every reference resolved, at the moment it is asked. */
  readonly settings: (server: LinkedServer) => Promise<JsonObject>;
  /** The bearer token of the server; null = it has none. */
  readonly bearer: (server: LinkedServer) => Promise<string | null>;
  /** See `ToolSource.open`; null = its credential is not a login. */
  readonly refused: (server: LinkedServer) => RefusalHandler | null;
  readonly processes: Processes;
  readonly context: Pick<ToolServerContext, 'log' | 'clock' | 'env' | 'workspaceRoot' | 'containerOwner' | 'openWay'>;
}

/** As long as this process: its supervisors end their processes when it is gone. */
export const PROCESS_LEASE: LeaseSignal = { until: () => Number.POSITIVE_INFINITY, onRenew: () => () => undefined };

/** The servers that one run has open, or those that the runs of a process share. */
export interface ToolServers {
  /**
   * Opens a server when it is first asked for; who asks meanwhile waits for the same one. One that
   * did not start is tried again by the next who asks. Its processes are under `lease`: a server of
   * another lease is gone with it, and opened anew. Throws KIT_TOOL_SERVER_FAILED.
   */
  open(server: LinkedServer, lease: LeaseSignal): Promise<ToolServer>;
  /**
   * Every server is closed, and its processes are over; who asks for one later opens it anew. With
   * a HurriedAbort as the reason nobody waits for a farewell.
   */
  close(reason?: unknown): Promise<void>;
}

/** How long a server may take to say goodbye before its processes are ended. */
const FAREWELL_MS = 5_000;
const STDERR_LINES = 8;

interface Opened {
  readonly lease: LeaseSignal;
  readonly scope: AbortController;
  readonly server: Promise<ToolServer>;
  /** What was started for it, until it is over. */
  readonly running: Set<Promise<unknown>>;
}

export function createToolServers(deps: ToolServersDeps): ToolServers {
  /** By id and configuration: runs that were frozen with another one have servers of their own. */
  const opened = new Map<string, Opened>();
  const forget = (key: string, entry: Opened): void => {
    if (opened.get(key) === entry) opened.delete(key);
  };
  const start = (key: string, server: LinkedServer, lease: LeaseSignal): Opened => {
    const scope = new AbortController();
    const running = new Set<Promise<unknown>>();
    const entry: Opened = { lease, scope, running, server: openServer(deps, { server, lease, scope, running }) };
    opened.set(key, entry);
    entry.server.catch(async () => {
      forget(key, entry);
      await end(deps, entry, 'it did not start');
    });
    return entry;
  };
  return {
    open: async (server, lease) => {
      const key = canonicalJson({ ...server });
      const known = opened.get(key);
      if (known !== undefined && known.lease === lease) return known.server;
      if (known !== undefined) {
        opened.delete(key);
        // The lease of its processes is over, and so are they.
        void end(deps, known, 'its lease is over');
      }
      return start(key, server, lease).server;
    },
    close: async (reason) => {
      const entries = [...opened.values()];
      opened.clear();
      await Promise.all(entries.map((entry) => end(deps, entry, reason)));
    },
  };
}

interface Opening extends Pick<Opened, 'lease' | 'scope' | 'running'> {
  readonly server: LinkedServer;
}

async function openServer(deps: ToolServersDeps, { server, lease, scope, running }: Opening): Promise<ToolServer> {
  const spawn: ToolServerContext['spawn'] = (spec, stop) => {
    const signal = stop === undefined ? scope.signal : AbortSignal.any([scope.signal, stop]);
    const child = deps.processes.spawn(spec, lease, signal);
    const done = child.done.catch(() => undefined).finally(() => running.delete(done));
    running.add(done);
    return child;
  };
  try {
    const source = await deps.source(server.source);
    const refused = deps.refused(server);
    return await source.open(
      {
        ...{ id: server.id, settings: () => deps.settings(server), bearer: () => deps.bearer(server) },
        ...(refused === null ? {} : { refused }),
      },
      { ...deps.context, signal: scope.signal, spawn },
    );
  } catch (error) {
    throw notStarted(server.id, error);
  }
}

/**
 * Whoever fails to open a server, the run is told which one it is and what it wrote; a refusal of
 * kit's own keeps its code.
 */
function notStarted(id: string, error: unknown): KitError {
  const message = messageOf(error);
  const data = isKitError(error) ? error.data : {};
  const tail = typeof data.stderr === 'string' ? data.stderr.trim().split('\n').slice(-STDERR_LINES).join('\n') : '';
  const wrote = tail === '' || message.includes(tail) ? '' : `; it wrote:\n${tail}`;
  const named = message.includes(id) ? message : `the tool server ${id} does not start: ${message}`;
  return new KitError(isKitError(error) ? error.code : 'KIT_TOOL_SERVER_FAILED', `${named}${wrote}`, {
    data: { ...data, server: id },
    cause: error,
  });
}

/**
 * A server that keeps its promise is gone when `close` resolves; of one that does not, the
 * processes are ended.
 */
async function end(deps: ToolServersDeps, { server, scope, running }: Opened, reason: unknown): Promise<void> {
  if (reason instanceof HurriedAbort) scope.abort(reason);
  // The words of a server are not a line of a log: they may hold a secret.
  const closed = server.then(
    (opened) => opened.close().catch(() => deps.context.log.warn('a tool server did not close by itself')),
    // What never opened has nothing to close, and the run says why.
    () => undefined,
  );
  const isOver = new AbortController();
  const late = deps.context.clock.sleep(FAREWELL_MS, isOver.signal).catch(() => undefined);
  await Promise.race([closed, late]);
  isOver.abort('over');
  scope.abort(scope.signal.aborted ? undefined : 'closed');
  await Promise.all(running);
}
