// What OpenAPI says beside a schema (`summary`) is typed there.
import type {} from '@fastify/swagger';

import { type ConnectionsApp, toWireAgentProbe, toWireRemoteAgent } from '@kit-run/kit/command';
import { BOOLEAN, closed, STRING } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';

const AGENT_PROBED = {
  oneOf: [
    closed({
      supported: { type: 'boolean', enum: [true] },
      name: STRING,
      description: STRING,
      url: STRING,
      streaming: BOOLEAN,
      requires_bearer: BOOLEAN,
      skills: { type: 'array', items: closed({ id: STRING, name: STRING, description: STRING }) },
    }),
    closed({ supported: { type: 'boolean', enum: [false] }, detail: STRING }),
  ],
} as const;

const OR_NULL = { type: ['string', 'null'] } as const;

/** The names of the interface, and those of the YAML beside them. */
const AGENT = closed({
  id: STRING,
  description: STRING,
  card: STRING,
  skill: OR_NULL,
  credential: OR_NULL,
  on_unanswerable: STRING,
  tier: STRING,
  card_url: STRING,
  skill_id: OR_NULL,
  credentials_ref: OR_NULL,
  permission: STRING,
  effects: STRING,
  timeout_s: { type: 'number' },
});

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
        response: { 200: closed({ agents: { type: 'array', items: AGENT } }) },
      },
    },
    async () => ({ agents: (await connections.agents({ workspace })).map(toWireRemoteAgent) }),
  );
}
