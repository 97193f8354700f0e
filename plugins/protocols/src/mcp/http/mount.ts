import { defineHttpMount, type HttpMount, KitError, type Log } from '@kit-run/kit/plugin';
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Endpoint } from './endpoint.js';
import type { HttpUses } from './http-backend.js';
import { addProtectedResource, tokenHelpAt } from './protected-resource.js';

/** As of `POST /run`: two images of 20 MiB in base64 fit (docs/design/decisions.md#bodies). */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

const MESSAGE = { type: ['object', 'array'], description: 'A message of JSON-RPC 2.0.' } as const;
const json = { 'application/json': { schema: MESSAGE } };
const problem = { 'application/problem+json': { schema: { type: 'object' } } };
const refused = (description: string) => ({ description, content: { ...json, ...problem } });

const options: RouteShorthandOptions = {
  bodyLimit: MAX_BODY_BYTES,
  config: { tier: 'run', mayAnswer: [406], summary: 'MCP over Streamable HTTP: every topology is a tool.' },
  schema: {
    body: MESSAGE,
    response: {
      200: {
        description: 'The answer; a stream where progress was asked for.',
        content: { ...json, 'text/event-stream': { schema: { type: 'string' } } },
      },
      202: { description: 'A notice was taken.', headers: { 'x-request-id': { type: 'string' } } },
      400: refused('No message of the protocol.'),
      404: refused('No such method, or MCP is switched off.'),
      406: refused('The client does not accept JSON and streams of events.'),
      415: refused('The body is not JSON.'),
    },
  },
};

interface Made {
  readonly version: string;
  readonly log: Log;
}

/**
 * MCP at `/mcp/` and `/mcp` (docs/mcp-server.md). The library behind it is loaded with the first
 * request.
 */
const mountOf = ({ version, log }: Made): HttpMount<HttpUses> => ({
  register: (server, served) => {
    let opened: Promise<Endpoint> | undefined;
    const open = async (): Promise<Endpoint> =>
      (await import('./endpoint.js')).createEndpoint({ ...served, version, log });
    const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      if (!served.app.serve.current().server.mcp.enabled)
        throw new KitError('KIT_ROUTE_UNKNOWN', 'this workspace is not served over MCP', {
          hint: 'Set server.mcp.enabled in workspace.yaml, and reload.',
        });
      opened ??= open();
      return (await opened).answer(request, reply);
    };
    for (const path of ['/mcp/', '/mcp']) {
      const config = { ...options.config, tokenHelp: tokenHelpAt(served.app.serve, path) };
      server.post(path, { ...options, config }, handle);
      addProtectedResource(server, served, path);
    }
  },
});

export const contribution = defineHttpMount({
  create: (_config, { plugin, log }) => mountOf({ version: plugin.version, log }),
});
