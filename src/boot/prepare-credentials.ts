import { credentialRefsOf } from '../app/runs/credential-refs-of.js';
import type { PluginHost } from '../domain/extension-points.js';
import { isOwnSource } from '../domain/own-source.js';
import type { CredentialUse } from '../domain/ports/credential-source.js';
import type { RunSnapshot } from '../domain/snapshot.js';
import type { Workspace } from '../domain/workspace.js';
import type { CredentialService } from '../host/secrets.js';
import { renderConfig } from './render-config.js';

interface PrepareParts {
  readonly workspace: Pick<Workspace, 'credentials'>;
  readonly host: Pick<PluginHost, 'find' | 'resolve'>;
  readonly credentials: CredentialService;
  /** KIT_OAUTH_RUN_WINDOW_S. */
  readonly windowS: number;
}

/**
 * Before a claim of a run does anything: credentials that it may use hold for the window, as far as
 * their sources can see to it. Throws KIT_CONSENT_REQUIRED naming credential and owner.
 */
export async function prepareCredentials(
  { workspace, host, credentials, windowS }: PrepareParts,
  snapshot: RunSnapshot,
): Promise<void> {
  const bySource = new Map<string, readonly CredentialUse[]>();
  for (const name of credentialRefsOf(snapshot)) {
    const entry = workspace.credentials.get(name);
    // What kit itself reads does not end.
    if (entry === undefined || isOwnSource(entry)) continue;
    const source = entry.providerId ?? entry.source;
    if (host.find('credentialSources', source) === null) continue;
    bySource.set(source, [
      ...(bySource.get(source) ?? []),
      { name, config: await renderConfig(credentials, entry.config, []) },
    ]);
  }
  for (const [name, uses] of bySource)
    await (await host.resolve('credentialSources', name, {})).prepare?.(uses, { owner: null, windowS });
}
