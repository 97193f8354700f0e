import type { ProviderDetails } from '@kit-run/kit/command';
import type { FastifyInstance } from 'fastify';
import { answers, flag, list, maybeText, object, text, texts } from './schema-words.js';
import type { ServedInfo } from './used.js';

const ANY = { type: 'object', additionalProperties: true } as const;

const PROVIDERS = answers(
  'The model providers that agents may name, and whether each could be called by this server. No key.',
  object({
    providers: list(
      object({
        id: text,
        family: maybeText,
        chain: texts,
        source: text,
        path: maybeText,
        state: text,
        variable: maybeText,
        reason: maybeText,
        base_url: maybeText,
        auth: { ...object({ api_key_env: text, header: text, scheme: text, is_set: flag }), type: ['object', 'null'] },
        models: object({ pattern: maybeText, accept_any: flag }),
        capabilities: {
          ...object({ images: flag, tools: flag, streaming: flag, structured_output: flag }),
          type: ['object', 'null'],
        },
        lift_to_root: { type: ['array', 'null'], items: text },
        headers: { type: 'object', additionalProperties: text },
        extra_body: ANY,
        context_window: { type: ['number', 'null'] },
        limits: ANY,
        prices: list(ANY),
      }),
    ),
  }),
);

/** What models agents may call. */
export function providerRoutes(server: FastifyInstance, { app, workspace }: ServedInfo): void {
  server.get('/providers', { schema: PROVIDERS }, async () => {
    const { providers } = await app.providers.list(workspace);
    return { providers: providers.map(toWire) };
  });
}

const toWire = ({ state, auth, models, capabilities, ...provider }: ProviderDetails) => ({
  id: provider.id,
  family: provider.family,
  chain: [...provider.chain],
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
  prices: [...provider.prices],
});
