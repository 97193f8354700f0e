import type { RunSession } from '../app/runs/run-session.js';
import type { ServeDeps } from '../app/serve/create-serve-app.js';
import type { ServeApp } from '../app/serve/serve-app.js';
import type { StorageApp } from '../app/storage/storage-app.js';
import { KitError } from '../domain/errors.js';
import type { AppParts } from './parts.js';

/** Wires the serving process; nothing of it is imported before it starts. */
export function createServe<S extends RunSession>(deps: () => Promise<ServeDeps<S>>): ServeApp {
  let built: ServeApp | null = null;
  const started = (): ServeApp => {
    if (built === null) throw new KitError('KIT_NOT_READY', 'the server has not started');
    return built;
  };
  /** Routes register while they are mounted, which may be before the start. */
  const listeners = new Set<() => Promise<void> | void>();
  return {
    start: async (options) => {
      const [{ createServeApp }, { runAll }, parts] = await Promise.all([
        import('../app/serve/create-serve-app.js'),
        import('../app/serve/reload-session.js'),
        deps(),
      ]);
      const app = createServeApp(parts);
      await app.start(options);
      app.onReload(() => runAll(listeners));
      built = app;
    },
    current: () => started().current(),
    role: () => started().role(),
    storeState: () => started().storeState(),
    submit: async (run) => started().submit(run),
    resume: async (ask) => started().resume(ask),
    retry: async (ask) => started().retry(ask),
    stop: async (ask) => started().stop(ask),
    load: () => started().load(),
    reload: async () => started().reload(),
    onReload: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    drain: async (graceMs) => built?.drain(graceMs),
  };
}

/** The same, of a server that removes what is too old where its workspace says so. */
export async function servePruning<S extends RunSession>(
  deps: ServeDeps<S>,
  parts: Pick<AppParts, 'logLines' | 'settings'>,
  storage: StorageApp,
): Promise<ServeDeps<S>> {
  if (deps.hooks === undefined) return deps;
  const [{ withPruning }, { openServerLog }] = await Promise.all([
    import('../app/storage/prune-hooks.js'),
    import('./server-log.js'),
  ]);
  return { ...deps, hooks: withPruning(deps.hooks, { ...deps, log: await openServerLog(parts), storage }) };
}

/** A server of this process is up. */
export function isServing(serve: Pick<ServeApp, 'current'>): boolean {
  try {
    serve.current();
    return true;
  } catch {
    return false; // it says so by throwing
  }
}
