import type { App } from '../app/app.js';
import { lazily } from '../lib/lazily.js';
import type { AppParts, Plugins } from './parts.js';

/** Use cases of somebody who writes a workspace, and what they read. */
export const workspaceApps = (
  parts: AppParts,
  { host }: Plugins,
): Pick<App, 'authoring' | 'docs' | 'logins' | 'preferences' | 'providers'> => ({
  docs: lazily(async () => (await import('./app-docs.js')).createDocs(parts)),
  logins: lazily(async () =>
    (await import('./remote/logins.js')).openLogins({ env: parts.env, packageRoot: parts.plugins.packageRoot }),
  ),
  preferences: lazily(async () => (await import('./user-config.js')).createPreferences(parts.env)),
  authoring: lazily(async () => (await import('./app-authoring.js')).createAuthoring(parts, host)),
  providers: lazily(async () => (await import('./app-providers.js')).createProviders(parts, host)),
});
