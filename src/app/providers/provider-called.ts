import { KitError } from '../../domain/errors.js';
import { hintFor } from '../../lib/nearest.js';
import type { ProviderDetails } from './providers-app.js';

/**
 * Of those that there are, the one that is called so. Throws KIT_PROVIDER_UNKNOWN with what is
 * close.
 */
export function providerCalled(id: string, providers: readonly ProviderDetails[]): ProviderDetails {
  const found = providers.find((provider) => provider.id === id);
  if (found !== undefined) return found;
  const ids = providers.map((provider) => provider.id);
  throw new KitError('KIT_PROVIDER_UNKNOWN', `there is no model provider ${id}`, {
    hint: hintFor(id, ids, { fallback: 'Run `kit providers list` to see them.' }),
    data: { provider: id, known: ids },
  });
}
