import type { EventsDeps } from '../app/events/create-events-app.js';
import type { EventsApp } from '../app/events/events-app.js';
import type { PluginHost } from '../domain/extension-points.js';
import type { EventSink } from '../domain/ports/sinks.js';
import type { BootSession, Runs } from './parts.js';

/**
 * Wires the log for consumers outside kit; every part is imported when it is first used. `figures`:
 * those of `/metrics`.
 */
export function createEvents(runs: Pick<Runs, 'events'>, figures: EventsDeps['figures']): EventsApp {
  let built: Promise<EventsApp> | undefined;
  const app = (): Promise<EventsApp> => (built ??= build(runs, figures));
  return {
    read: async (query) => (await app()).read(query),
    awaitPage: async (query) => (await app()).awaitPage(query),
    follow: (query, signal) => follow(app, query, signal),
    audit: async (query) => (await app()).audit(query),
    loose: async (query) => (await app()).loose(query),
    signal: async (signal) => (await app()).signal(signal),
    startSinks: async (workspace) => (await app()).startSinks(workspace),
  };
}

async function* follow(
  app: () => Promise<EventsApp>,
  query: Parameters<EventsApp['follow']>[0],
  signal: AbortSignal,
): ReturnType<EventsApp['follow']> {
  yield* (await app()).follow(query, signal);
}

async function build(runs: Pick<Runs, 'events'>, figures: EventsDeps['figures']): Promise<EventsApp> {
  const [{ createEventsApp }, { renderConfig }, { sessionOf, ...parts }] = await Promise.all([
    import('../app/events/create-events-app.js'),
    import('./render-config.js'),
    runs.events(),
  ]);
  return createEventsApp({
    ...parts,
    figures,
    random: Math.random,
    makeStores: async (workspace) => (await sessionOf(workspace)).openStores(),
    current: async (workspace) => (await sessionOf(workspace)).workspace,
    openSink: async (workspace, name, config) => {
      const session = await sessionOf(workspace);
      const { plugins, credentials } = session;
      return heldSink(session, await plugins.retry('eventSinks', name, await renderConfig(credentials, config)));
    },
    openListener: async (workspace) => {
      const { plugins, credentials, workspace: current, hold } = await sessionOf(workspace);
      const found = listenerOf(plugins, current.server.signal);
      if (found === null) return null;
      const opened = await plugins.resolve('signalListeners', found.id, await renderConfig(credentials, found.config));
      return { deliver: (signal) => hold(() => opened.deliver(signal)) };
    },
  });
}

/** What a call needs of the plugins of its session is there until the call is answered. */
function heldSink({ hold }: Pick<BootSession, 'hold'>, sink: EventSink): EventSink {
  const measure = sink.measure?.bind(sink);
  const { measureEveryMs } = sink;
  return {
    deliver: (...args) => hold(() => sink.deliver(...args)),
    ...(measure === undefined ? {} : { measure: (...args) => hold(() => measure(...args)) }),
    ...(measureEveryMs === undefined ? {} : { measureEveryMs }),
  };
}

/** kit's own listener: a server that takes the event by POST. */
const HTTP_LISTENER = 'kit.signal-http';

/** An installed plugin that listens, the first by id, else the address that the workspace names. */
function listenerOf(
  plugins: PluginHost,
  signal: { readonly url: string; readonly credentialsRef: string | null } | null,
) {
  const [plugin] = plugins
    .list('signalListeners')
    .map(({ id }) => id)
    .filter((id) => id !== HTTP_LISTENER)
    .sort();
  if (plugin !== undefined) return { id: plugin, config: {} };
  if (signal === null) return null;
  const { url, credentialsRef } = signal;
  return {
    id: HTTP_LISTENER,
    config: { url, ...(credentialsRef === null ? {} : { credentials_ref: credentialsRef }) },
  };
}
