import type { ProviderDetails } from '@kit-run/kit/command';
import { PROVIDERS, toWire } from '@kit-run/kit/wire';
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
    return toWire(PROVIDERS, { providers: providers.map(shown) });
  });
}

const shown = ({ state, ...provider }: ProviderDetails) => ({
  ...provider,
  state: state.kind,
  variable: 'variable' in state ? state.variable : null,
  reason: 'reason' in state ? state.reason : null,
});
