import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { versionAsked } from '../rpc/protocol.js';
import { cardOf } from '../wire/card.js';
import { type A2aParts, reachedBy } from './uses.js';

const CARD = { type: 'object', additionalProperties: true, description: 'An Agent Card.' } as const;
const HEADERS = {
  type: 'object',
  properties: { 'a2a-version': { type: 'string', description: '0.3 (when absent) or 1.0.' } },
} as const;
const PARAMS = {
  type: 'object',
  required: ['topology'],
  properties: { topology: { type: 'string', description: 'A name without a version.' } },
} as const;

/** A card that others may keep: it changes with a reload alone. */
const KEPT = 'public, max-age=60';

/** The public card of everything, and the card of one topology. */
export function addCardRoutes(server: FastifyInstance, parts: A2aParts): void {
  server.get(
    '/.well-known/agent-card.json',
    {
      config: {
        tier: 'public',
        mayAnswer: [304],
        summary: 'Says which topologies other agents may ask, and how.',
      },
      schema: { headers: HEADERS, response: { 200: CARD } },
    },
    async (request, reply) => sendCard(request, reply, parts, null),
  );
  server.get<{ readonly Params: { readonly topology: string } }>(
    '/a2a/:topology/card',
    {
      config: { tier: 'read', mayAnswer: [304], summary: 'The card of one topology.' },
      schema: { params: PARAMS, headers: HEADERS, response: { 200: CARD } },
    },
    async (request, reply) => sendCard(request, reply, parts, request.params.topology),
  );
}

/**
 * Whoever asks for a version that is not spoken here learns from the newest card which ones are.
 */
async function sendCard(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: A2aParts,
  only: string | null,
): Promise<FastifyReply> {
  const { offered, base } = await reachedBy(parts, request, only);
  const { name, description, server, topologies } = offered;
  const { identity } = server.a2a;
  const [{ mode }, { serveVersion }] = await Promise.all([
    parts.info.authInfo(parts.workspace),
    parts.info.capabilities(parts.workspace),
  ]);
  const root = identity.url?.replace(/\/+$/, '') ?? base;
  const card = cardOf(versionAsked(request), {
    identity: {
      name: identity.name ?? name,
      description: identity.description ?? description,
      organization: identity.organization,
    },
    ...{ root, authMode: mode, runtime: serveVersion, topologies, only },
  });
  const etag = `"${createHash('sha256').update(JSON.stringify(card)).digest('hex').slice(0, 32)}"`;
  // By the name that a request used, the card would reach others who use another one.
  const isKept = (identity.url ?? server.publicUrl) !== null && only === null;
  reply
    .header('vary', 'A2A-Version')
    .header('etag', etag)
    .header('cache-control', isKept ? KEPT : 'no-store');
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.send(card);
}
