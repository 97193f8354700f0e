import type { PluginHost } from '../domain/extension-points.js';
import type { RunSnapshot } from '../domain/snapshot.js';
import { assertPriced } from '../govern/start-checks.js';
import type { CredentialService } from '../host/secrets.js';

/**
 * Known prices only matter where a cost limit is set; then every model that the run may call is
 * asked for.
 */
export async function assertPrices(
  host: PluginHost,
  credentials: CredentialService,
  snapshot: RunSnapshot,
): Promise<void> {
  if (snapshot.limits.maxCostPerRunUsd === null) return;
  const { renderConfig } = await import('./render-config.js');
  const asked = Object.entries(snapshot.models).flatMap(([user, { provider, model, fallback = [] }]) =>
    [{ provider, model }, ...fallback].map((one) => ({ user, ...one })),
  );
  const uses = await Promise.all(
    asked.map(async ({ user, provider, model }) => {
      const binding = snapshot.providers[provider];
      const instance =
        binding === undefined
          ? null
          : await host.resolve('modelProviders', binding.contribution, await renderConfig(credentials, binding.config));
      const usage = { inputTokens: 1000, outputTokens: 1000, cachedInputTokens: 0, reasoningTokens: 0, costUsd: null };
      return { user, provider, model, priced: (instance?.price(model, usage) ?? null) !== null };
    }),
  );
  assertPriced(snapshot.limits, uses);
}
