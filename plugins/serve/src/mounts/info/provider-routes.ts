import type { ProviderDetails } from '@kit-run/kit/command';
import { PROVIDERS, type WireProvider } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { answers } from './schema-words.js';
import type { ServedInfo } from './used.js';

const SCHEMA = answers(
  'The model providers that agents may name, and whether each could be called by this server. No key.',
  PROVIDERS,
);

/** What models agents may call. */
export function providerRoutes(server: FastifyInstance, { app, workspace }: ServedInfo): void {
  server.get('/providers', { schema: SCHEMA }, async () => {
    const { providers } = await app.providers.list(workspace);
    return { providers: providers.map(toWire) };
  });
}

const toWire = ({ state, auth, models, capabilities, ...provider }: ProviderDetails): WireProvider => ({
  id: provider.id,
  family: provider.family,
  chain: provider.chain,
  source: provider.source,
  path: provider.path,
  state: state.kind,
  variable: 'variable' in state ? state.variable : null,
  reason: 'reason' in state ? state.reason : null,
  base_url: provider.baseUrl,
  auth:
    auth === null ? null : { api_key_env: auth.variable, header: auth.header, scheme: auth.scheme, is_set: auth.isSet },
  models: { pattern: models.pattern, accept_any: models.acceptAny },
  capabilities:
    capabilities === null
      ? null
      : {
          images: capabilities.images,
          tools: capabilities.tools,
          streaming: capabilities.streaming,
          structured_output: capabilities.structuredOutput,
        },
  lift_to_root: provider.liftToRoot,
  headers: provider.headers,
  extra_body: provider.extraBody,
  context_window: provider.contextWindow,
  limits: provider.limits,
  prices: provider.prices,
});
