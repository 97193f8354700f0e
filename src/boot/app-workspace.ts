import type { App } from '../app/app.js';
import type { AuthoringApp } from '../app/authoring-app.js';
import type { DocsApp } from '../app/docs/docs-app.js';
import type { LoginsApp } from '../app/logins/logins-app.js';
import type { PreferencesApp } from '../app/preferences-app.js';
import type { ProvidersApp } from '../app/providers/providers-app.js';
import { lazily } from '../lib/lazily.js';
import type { AppParts, Plugins } from './parts.js';

/** Use cases of somebody who writes a workspace, and what they read. */
export const workspaceApps = (
  parts: AppParts,
  { host }: Plugins,
): Pick<App, 'authoring' | 'docs' | 'logins' | 'preferences' | 'providers'> => ({
  docs: lazily<DocsApp>(async () => (await import('./app-docs.js')).createDocs(parts)),
  logins: lazily<LoginsApp>(async () =>
    (await import('./remote/logins.js')).openLogins({ env: parts.env, packageRoot: parts.plugins.packageRoot }),
  ),
  preferences: lazily<PreferencesApp>(async () => (await import('./user-config.js')).createPreferences(parts.env)),
  authoring: lazily<AuthoringApp>(async () => (await import('./app-authoring.js')).createAuthoring(parts, host)),
  providers: lazily<ProvidersApp>(async () => (await import('./app-providers.js')).createProviders(parts, host)),
});
