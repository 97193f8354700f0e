import { isOwnSource } from '../domain/own-source.js';
import type { RefusalHandler } from '../domain/ports/tools.js';
import type { Workspace } from '../domain/workspace.js';
import type { CredentialService } from '../host/secrets.js';

export interface RefusalParts {
  readonly workspace: Pick<Workspace, 'credentials'>;
  readonly credentials: Pick<CredentialService, 'refused'>;
}

/**
 * Asks the sources of these credentials what a refusal means; null = kit reads all of them itself,
 * and a refusal is no more than it says.
 */
export function refusalHandler(
  { workspace, credentials }: RefusalParts,
  refs: readonly string[],
): RefusalHandler | null {
  const logins = [...new Set(refs)].filter((name) => {
    const entry = workspace.credentials.get(name);
    return entry !== undefined && !isOwnSource(entry);
  });
  if (logins.length === 0) return null;
  return async (refusal) => {
    const outcomes = await Promise.allSettled(logins.map((name) => credentials.refused(name, refusal)));
    // With several credentials the one that is another by now may be what the server missed.
    if (outcomes.some((one) => one.status === 'fulfilled' && one.value)) return true;
    for (const one of outcomes) if (one.status === 'rejected') throw one.reason;
    return false;
  };
}
