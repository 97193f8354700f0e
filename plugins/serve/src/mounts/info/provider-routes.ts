import type { ProviderDetails } from '@kit-run/kit/command';
import { arrayOf, BOOLEAN, closed, nullable, objectOrNull, STRING, STRINGS } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { answers } from './schema-words.js';
import type { ServedInfo } from './used.js';

const ANY = { type: 'object', additionalProperties: true } as const;

const PROVIDERS = answers(
  'The model providers that agents may name, and whether each could be called by this server. No key.',
  closed({
    providers: arrayOf(
      closed({
        id: STRING,
        family: nullable(STRING),
        chain: STRINGS,
        source: STRING,
        path: nullable(STRING),
        state: STRING,
        variable: nullable(STRING),
        reason: nullable(STRING),
        base_url: nullable(STRING),
        auth: objectOrNull(closed({ api_key_env: STRING, header: STRING, scheme: STRING, is_set: BOOLEAN })),
        models: closed({ pattern: nullable(STRING), accept_any: BOOLEAN }),
        capabilities: objectOrNull(
          closed({ images: BOOLEAN, tools: BOOLEAN, streaming: BOOLEAN, structured_output: BOOLEAN }),
        ),
        lift_to_root: { type: ['array', 'null'], items: STRING },
        headers: { type: 'object', additionalProperties: STRING },
        extra_body: ANY,
        context_window: { type: ['number', 'null'] },
        limits: ANY,
        prices: arrayOf(ANY),
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
