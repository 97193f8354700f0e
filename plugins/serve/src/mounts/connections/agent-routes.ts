// What OpenAPI says beside a schema (`summary`) is typed there.
import type {} from '@fastify/swagger';

import { type ConnectionsApp, toWireAgentProbe, toWireRemoteAgent } from '@kit-run/kit/command';
import { AGENT_PROBED, REMOTE_AGENTS } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';

/** Agents that run elsewhere: what a card says, and which ones skills call. */
export function agentRoutes(
  server: FastifyInstance,
  { connections, workspace }: { readonly connections: ConnectionsApp; readonly workspace: string },
): void {
  server.get<{ Querystring: { card_url: string } }>(
    '/api/a2a/probe',
    {
      config: { tier: 'admin', mayAnswer: [502] },
      schema: {
        summary: 'What the Agent Card at an address says; no credential is sent',
        querystring: {
          type: 'object',
          additionalProperties: false,
          required: ['card_url'],
          properties: {
            card_url: { type: 'string', minLength: 1, maxLength: 2000, description: 'Address of the Agent Card.' },
          },
        },
        response: { 200: AGENT_PROBED },
      },
    },
    async ({ query: { card_url: cardUrl } }) => {
      return toWireAgentProbe(await connections.probeAgent({ workspace, cardUrl }));
    },
  );
  server.get(
    '/api/a2a/agents',
    {
      config: { tier: 'read' },
      schema: {
        summary: 'Agents that run elsewhere and that skills of the workspace call',
        response: { 200: REMOTE_AGENTS },
      },
    },
    async () => ({ agents: (await connections.agents({ workspace })).map(toWireRemoteAgent) }),
  );
}
