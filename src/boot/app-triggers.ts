import type { EventsApp } from '../app/events/events-app.js';
import type { ServeApp } from '../app/serve/serve-app.js';
import type { TriggersApp } from '../app/triggers/triggers-app.js';
import type { Runs } from './parts.js';

/** What triggers fire through. */
interface Targets {
  readonly serve: ServeApp;
  readonly events: Pick<EventsApp, 'signal'>;
}

/** Wires triggers. */
export async function openTriggers(runs: Pick<Runs, 'events'>, { serve, events }: Targets): Promise<TriggersApp> {
  const [{ createTriggersApp }, { clock, ids, log, maskOf, sessionOf }] = await Promise.all([
    import('../app/triggers/create-triggers-app.js'),
    runs.events(),
  ]);
  return createTriggersApp({
    clock,
    ids,
    log,
    maskOf,
    serve,
    emit: ({ trigger, ...event }) => events.signal({ ...event, mode: 'emit', from: { kind: 'trigger', id: trigger } }),
    open: async (workspace) => {
      const { workspace: current, plugins, openStores } = await sessionOf(workspace);
      return { workspace: current, plugins, stores: openStores };
    },
  });
}
