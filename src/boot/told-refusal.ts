import type { PluginHost } from '../domain/extension-points.js';
import { isOwnSource } from '../domain/own-source.js';
import type { CredentialSource, CredentialUse } from '../domain/ports/credential-source.js';
import type { ToldRefusal } from '../domain/ports/tools.js';
import type { Workspace } from '../domain/workspace.js';
import type { CredentialService } from '../host/secrets.js';
import { renderConfig } from './render-config.js';

export interface RefusalParts {
  readonly workspace: Pick<Workspace, 'credentials'>;
  readonly plugins: Pick<PluginHost, 'find' | 'resolve'>;
  readonly credentials: CredentialService;
}

/**
 * Asks the sources of these credentials what a refusal means; null = kit reads all of them itself,
 * and a refusal is no more than it says.
 */
export function toldRefusal(parts: RefusalParts, refs: readonly string[]): ToldRefusal | null {
  const { workspace, plugins, credentials } = parts;
  const foreign = [...new Set(refs)].flatMap((name) => {
    const entry = workspace.credentials.get(name);
    return entry === undefined || isOwnSource(entry) ? [] : [{ name, entry }];
  });
  if (foreign.length === 0) return null;
  return async (refusal) => {
    for (const { name, entry } of foreign) {
      const wanted = entry.providerId ?? entry.source;
      if (plugins.find('credentialSources', wanted) === null) continue;
      const source: CredentialSource = await plugins.resolve('credentialSources', wanted, {});
      const use: CredentialUse = { name, config: await renderConfig(credentials, entry.config, []) };
      await source.refused?.(use, refusal);
    }
  };
}
