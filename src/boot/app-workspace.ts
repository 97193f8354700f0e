import type { App } from '../app/app.js';
import type { AuthoringApp } from '../app/authoring-app.js';
import type { DocsApp } from '../app/docs/docs-app.js';
import type { InfoApp } from '../app/info/info-app.js';
import type { LoginsApp } from '../app/logins/logins-app.js';
import type { PreferencesApp } from '../app/preferences-app.js';
import type { ProvidersApp } from '../app/providers/providers-app.js';
import type { AppParts } from './app.js';
import type { Plugins } from './app-plugins.js';
import { lazyApp } from './lazy-app.js';

/** Use cases of what a workspace and its kit are. */
export const INFO: Readonly<Record<keyof InfoApp, true>> = {
  storage: true,
  system: true,
  authInfo: true,
  signInPlace: true,
  signIn: true,
  capabilities: true,
  inventory: true,
  offered: true,
  graphs: true,
  address: true,
  comprehension: true,
  usage: true,
  usageOf: true,
  trace: true,
  schema: true,
};

/** Use cases of somebody who writes a workspace, and what they read. */
export const workspaceApps = (
  parts: AppParts,
  { host }: Plugins,
): Pick<App, 'authoring' | 'docs' | 'logins' | 'preferences' | 'providers'> => ({
  docs: lazyApp<DocsApp>({ list: true, search: true, read: true }, async () =>
    (await import('./app-docs.js')).createDocs(parts),
  ),
  logins: lazyApp<LoginsApp>(
    { ask: true, begin: true, inBrowser: true, keep: true, check: true, status: true, forget: true },
    async () =>
      (await import('./remote/logins.js')).openLogins({ env: parts.env, packageRoot: parts.plugins.packageRoot }),
  ),
  preferences: lazyApp<PreferencesApp>({ read: true, set: true }, async () =>
    (await import('./user-config.js')).createPreferences(parts.env),
  ),
  authoring: lazyApp<AuthoringApp>(
    {
      explain: true,
      templates: true,
      planInit: true,
      planFrom: true,
      writeInit: true,
      schemas: true,
      planPart: true,
      writePart: true,
      fix: true,
    },
    async () => (await import('./app-authoring.js')).createAuthoring(parts, host),
  ),
  providers: lazyApp<ProvidersApp>({ list: true, show: true }, async () =>
    (await import('./app-providers.js')).createProviders(parts, host),
  ),
});
