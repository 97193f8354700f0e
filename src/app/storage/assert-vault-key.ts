import { KitError } from '../../domain/errors.js';
import { MAKE_OAUTH_KEY, OAUTH_KEY_FORM, type OauthKeyState } from '../../domain/oauth-key.js';
import type { Workspace } from '../../domain/workspace.js';
import { runtimeSite } from './resolve-storage.js';
import type { StorageEnvironment } from './storage-environment.js';

/**
 * Refuses a server or worker that could read no login, before anything is bound or claimed: each
 * run that needs one would fail. Throws KIT_VAULT_KEY.
 */
export function assertVaultKey(
  { credentials, storage }: Pick<Workspace, 'credentials' | 'storage'>,
  { environment, key }: { readonly environment: StorageEnvironment; readonly key: OauthKeyState },
): void {
  const [name] = [...credentials].find(([, { source }]) => source === 'oauth') ?? [];
  if (name === undefined || key === 'set') return;
  const refused = (message: string): KitError => new KitError('KIT_VAULT_KEY', message, { hint: MAKE_OAUTH_KEY });
  if (key === 'malformed')
    throw refused(`the credential ${name} needs KIT_OAUTH_KEY, which is no key: ${OAUTH_KEY_FORM}`);
  if (runtimeSite(storage, environment).place.backend === 'postgres')
    throw refused(
      `the credential ${name} needs KIT_OAUTH_KEY, which is not set: PostgreSQL is shared with other processes`,
    );
}
