import type { ListDeps } from '../app/providers/list-providers.js';
import type { ProvidersApp } from '../app/providers/providers-app.js';
import type { PluginHost } from '../domain/extension-points.js';
import type { AppParts } from './parts.js';

/** Wires the use cases around model providers; imported when one is called. */
export function createProviders(parts: AppParts, host: () => Promise<PluginHost>): ProvidersApp {
  const deps = async (): Promise<ListDeps> => {
    const [{ workspaceDeps }, plugins] = await Promise.all([import('./open-session.js'), host()]);
    return { ...(await workspaceDeps({ env: parts.env, host })), plugins, isSet: (name) => Boolean(parts.env[name]) };
  };
  return {
    list: async (directory) =>
      (await import('../app/providers/list-providers.js')).listProviders(directory, await deps()),
    show: async (directory, id) =>
      (await import('../app/providers/list-providers.js')).showProvider(directory, id, await deps()),
  };
}
