// What OpenAPI says beside a schema (`summary`) is typed there.
import type {} from '@fastify/swagger';

import type { ConnectionsApp, ServeApp } from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import { BOOLEAN, closed, STRING, STRINGS } from '@kit-run/kit/wire';
import { agentRoutes } from './agent-routes.js';
import { credentialRoutes } from './credential-routes.js';
import { loginRoutes } from './login-routes.js';

const PROBED = {
  oneOf: [
    closed({
      supported: { type: 'boolean', enum: [true] },
      issuer: STRING,
      authorization_endpoint: STRING,
      scopes_supported: STRINGS,
      supports_registration: BOOLEAN,
    }),
    closed({ supported: { type: 'boolean', enum: [false] }, detail: STRING }),
  ],
} as const;

/** Connections to servers elsewhere. */
const CONNECTIONS: HttpMount<{ readonly connections: ConnectionsApp; readonly serve: ServeApp }> = {
  register(server, { app, workspace }) {
    const { connections } = app;
    const desk = { connections, serve: app.serve, workspace };
    loginRoutes(server, desk);
    credentialRoutes(server, desk);
    agentRoutes(server, desk);
    server.get<{ Querystring: { endpoint: string } }>(
      '/auth/mcp/probe',
      {
        config: { tier: 'admin', mayAnswer: [502] },
        schema: {
          summary: 'Whether a remote MCP server supports OAuth, and where its authorization server is',
          querystring: {
            type: 'object',
            additionalProperties: false,
            required: ['endpoint'],
            properties: {
              endpoint: { type: 'string', minLength: 1, maxLength: 2000, description: 'Address of the MCP server.' },
            },
          },
          response: { 200: PROBED },
        },
      },
      async ({ query: { endpoint } }) => {
        const probe = await connections.probe({ workspace, endpoint });
        if (!probe.isSupported) return { supported: false, detail: probe.detail };
        return {
          supported: true,
          issuer: probe.issuer,
          authorization_endpoint: probe.authorizationEndpoint,
          scopes_supported: [...probe.scopes],
          supports_registration: probe.supportsRegistration,
        };
      },
    );
  },
};

export const contribution = defineHttpMount({ create: () => ({ ...CONNECTIONS }) as HttpMount });
