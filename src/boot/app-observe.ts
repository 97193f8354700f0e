import type { ObserveDeps } from '../app/observe/create-observe-app.js';
import type { ObserveApp } from '../app/observe/observe-app.js';

/** Wires the use cases that look at runs; every part is imported when it is first used. */
export function createObserve(deps: () => Promise<ObserveDeps>): ObserveApp {
  let built: Promise<ObserveApp> | undefined;
  const app = (): Promise<ObserveApp> => (built ??= build(deps));
  return {
    logs: async (query) => (await app()).logs(query),
    status: async (list) => (await app()).status(list),
    trace: async (ask) => (await app()).trace(ask),
    report: async (ask) => (await app()).report(ask),
    gaps: async (list) => (await app()).gaps(list),
    inert: async (list) => (await app()).inert(list),
  };
}

async function build(deps: () => Promise<ObserveDeps>): Promise<ObserveApp> {
  const { createObserveApp } = await import('../app/observe/create-observe-app.js');
  return createObserveApp(await deps());
}
