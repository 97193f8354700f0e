import type { ServeApp } from '@kit-run/kit/command';
import { baseUrlOf } from '@kit-run/kit/command';
import { type AuthProvider, KitError, type Served } from '@kit-run/kit/plugin';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { HttpUses } from './http-backend.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Who gives tokens for this server; null = nobody whom a client could find. */
function issuerOf({ oidc }: ReturnType<AuthProvider['info']>): string | null {
  return typeof oidc?.issuer === 'string' ? oidc.issuer : null;
}

/** Where a client that was refused at this path reads how to get a token. */
export const tokenHelpAt =
  (serve: Pick<ServeApp, 'current'>, path: string) =>
  (request: FastifyRequest, auth: ReturnType<AuthProvider['info']>): string | null =>
    issuerOf(auth) === null ? null : `${baseUrlOf(serve.current().server, request)}${WELL_KNOWN}${path}`;

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const DOCUMENT = {
  type: 'object',
  description: 'RFC 9728: whose tokens this server takes.',
  required: ['resource', 'authorization_servers', 'bearer_methods_supported', 'scopes_supported', 'resource_name'],
  properties: {
    resource: text,
    authorization_servers: texts,
    bearer_methods_supported: texts,
    scopes_supported: texts,
    resource_name: text,
  },
} as const;

/** The document for the endpoint at `path`, for everybody; 404 where nobody gives tokens. */
export function addProtectedResource(
  server: FastifyInstance,
  { app, workspace }: Served<HttpUses>,
  path: string,
): void {
  server.get(
    `${WELL_KNOWN}${path}`,
    {
      config: { tier: 'public', summary: 'Tells who gives tokens for the endpoint of MCP.' },
      schema: { response: { 200: DOCUMENT } },
    },
    async (request) => {
      const issuer = issuerOf(await app.info.authInfo(workspace));
      const { server: settings, name } = app.serve.current();
      if (issuer === null || !settings.mcp.enabled)
        throw new KitError('KIT_ROUTE_UNKNOWN', 'no OAuth server gives tokens for MCP here');
      return {
        resource: `${baseUrlOf(app.serve.current().server, request)}${path}`,
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
        scopes_supported: ['serve:run'],
        resource_name: name,
      };
    },
  );
}
